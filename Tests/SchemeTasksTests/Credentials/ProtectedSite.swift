import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Testing

@testable import Fetching
@testable import WebTesting

/// A responder whose network has servers that want a password, and whose app is asked for it.
struct ProtectedSite: Sendable {
    let bench: ResponderBench
    /// What the app was asked, in order.
    let questions = LockedBox<[CredentialQuestion]>([])

    /// - Parameter answer: The app's answer; without it nobody is asked.
    init(
        account: String = "", memory: CredentialMemory = CredentialMemory(),
        answer: (@Sendable (CredentialQuestion) async -> CredentialAnswer)? = nil
    ) {
        let questions = questions
        bench = ResponderBench { configuration in
            configuration.credentials = memory
            configuration.context = { .init(partition: account) }
            guard let answer else { return }
            configuration.askForCredentials = { question in
                questions.withLock { $0.append(question) }
                return await answer(question)
            }
        }
    }

    /// A server that says with 200 whom it has let in, and with 401 nothing.
    func protect(
        _ urls: String..., realm: String = "staging", user: String = "u", password: String = "p",
        fields: HTTPFields = [:]
    ) throws {
        let expected = try login(user, password).fieldValue
        for url in urls {
            bench.transport.on(url) { request in
                var all = fields
                all[.cacheControl] = all[.cacheControl] ?? "no-store"
                guard request.head.headerFields[.authorization] == expected else {
                    all[.wwwAuthenticate] = "Basic realm=\"\(realm)\""
                    return ScriptedTransport.answer(401, all, body: "who?")
                }
                return ScriptedTransport.answer(200, all, body: "in")
            }
        }
    }

    func login(_ user: String = "u", _ password: String = "p") throws -> BasicCredentials {
        try #require(BasicCredentials(user: user, password: password))
    }

    /// Whom each request named, in order; empty where it named nobody.
    var named: [String] {
        bench.sent(.authorization).map { value in
            ["u:p", "u:wrong", "v:q", "w:1", "w:2", "w:3", "w:4"].first { pair in
                let parts = pair.split(separator: ":").map(String.init)
                return BasicCredentials(user: parts[0], password: parts[1])?.fieldValue == value
            } ?? value
        }
    }

    var asked: [CredentialQuestion] { questions.withLock { $0 } }
}
