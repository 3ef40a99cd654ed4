import CacheTesting
import HTTPTypes
import Locking
import Testing

@testable import Fetching

@Suite("Questions for passwords that several requests wait for", .timeLimit(.minutes(5)))
struct CredentialQuestionsTests {
    private func key(_ realm: String, account: String = "") -> ProtectionSpace {
        .init(owner: .init(account: account, site: ""), origin: WebOrigin(url: "https://page.test"), realm: realm)
    }

    private func question(_ realm: String) -> CredentialQuestion {
        CredentialQuestion(origin: WebOrigin(url: "https://page.test"), realm: realm)
    }

    @Test("requests that meet the same challenge wait for one answer, and each is answered with it")
    func sharing() async throws {
        let gate = Gate()
        let login = try #require(BasicCredentials(user: "u", password: "p"))
        let site = ProtectedSite { _ in
            try? await gate.pass()
            return .use(login)
        }
        let urls = (0..<8).map { "https://page.test/\($0)" }
        for url in urls { try site.protect(url) }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for url in urls { group.addTask { try await site.bench.load(url).status } }
            try await site.bench.transport.requests(atLeast: 8)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 8))
        #expect(site.asked.count == 1)
    }

    @Test("another realm or account has a question of its own")
    func apart() async {
        let questions = CredentialQuestions()
        let asked = LockedBox(0)
        for key in [key("a"), key("b"), key("a", account: "1")] {
            let answer = await questions.ask(question("a"), key) { _ in
                asked.withLock { $0 += 1 }
                return .cancel
            }
            #expect(answer == .cancel)
        }
        #expect(asked.withLock { $0 } == 3)
    }

    @Test("a request that is stopped waits no longer; when none waits, the question is taken back")
    func stopping() async throws {
        let questions = CredentialQuestions()
        let (begun, never, ended) = (Gate(), Gate(), Gate())
        let work = Task {
            await questions.ask(question("a"), key("a")) { _ in
                begun.open()
                try? await never.pass()
                ended.open()
                return .cancel
            }
        }
        try await begun.pass()
        work.cancel()
        #expect(await work.value == .showResponse)
        try await ended.pass()
        // The next request asks anew.
        #expect(await questions.ask(question("a"), key("a")) { _ in .cancel } == .cancel)
    }

    @Test("one of two that is stopped leaves the question to the other")
    func leaving() async throws {
        let questions = CredentialQuestions()
        let (begun, gate) = (Gate(), Gate())
        let asker: CredentialQuestion.Asker = { _ in
            begun.open()
            try? await gate.pass()
            return .cancel
        }
        let staying = Task { await questions.ask(question("a"), key("a"), of: asker) }
        try await begun.pass()
        let leaving = Task { await questions.ask(question("a"), key("a"), of: asker) }
        leaving.cancel()
        #expect(await leaving.value == .showResponse)
        gate.open()
        #expect(await staying.value == .cancel)
    }
}
