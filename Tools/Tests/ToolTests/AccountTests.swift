import CacheTesting
import ChildPrograms
import CacheEngine
import CachingProxy
import Foundation
import HTTPCacheSemantics
import LarderHost
import Testing
import WireSupport

/// Two users of one app behind one proxy and one store. The origin forgets `Vary: Cookie`, as many do; so but for the
/// partitions each would get what the other was sent (RFC 9111 §4.1).
@Suite("accounts")
struct AccountTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private static let kept = "max-age=600"

    private func proxy(_ log: ReportLog = ReportLog()) async throws -> LocalProxy {
        var setup = ProxySetup(storeDirectory: folder.store, mode: .forward(intercept: .none))
        setup.cache.rules = .webViewDefaults
        setup.cache.observer = log
        return try await LocalProxy.start(setup)
    }

    /// What a path of the origin answers a user; sent with the user's cookie where there is one.
    private func get(
        _ path: String, of origin: PageOrigin, as user: String, through proxy: LocalProxy
    ) async throws -> String {
        let answer = try await ToolProcess.curl(
            ["-i", "-x", "http://127.0.0.1:\(proxy.port)", "http://127.0.0.1:\(origin.port)\(path)"]
                + (user.isEmpty ? [] : ["-b", "user=\(user)"]))
        return answer.out
    }

    @Test("what one account stored answers no other one, with and without a network, nor nobody")
    func switching() async throws {
        let origin = try await PageOrigin.start { request in
            .page("page of \(request.cookie("user") ?? "nobody")", "", ["Cache-Control": Self.kept])
        }
        let proxy = try await proxy()
        proxy.account = "a"
        #expect(try await get("/me", of: origin, as: "a", through: proxy).contains("page of a"))
        #expect(try await get("/me", of: origin, as: "a", through: proxy).contains("Cache-Status: Larder; hit"))
        proxy.account = "b"
        // Before b has anything: nothing of a, and no network.
        proxy.connectivity = .disconnected
        for user in ["b", ""] {
            proxy.account = user
            let answer = try await get("/me", of: origin, as: user, through: proxy)
            #expect(answer.hasPrefix("HTTP/1.1 504") && !answer.contains("page of"))
        }
        proxy.connectivity = .connected
        proxy.account = "b"
        let first = try await get("/me", of: origin, as: "b", through: proxy)
        #expect(first.contains("page of b") && first.contains("fwd=uri-miss"))
        proxy.connectivity = .disconnected
        for user in ["a", "b"] {
            proxy.account = user
            // A cookie that says otherwise changes nothing.
            let answer = try await get("/me", of: origin, as: "x", through: proxy)
            #expect(answer.contains("page of \(user)") && answer.contains("Cache-Status: Larder; hit"))
        }
        proxy.account = ""
        #expect(try await get("/me", of: origin, as: "", through: proxy).hasPrefix("HTTP/1.1 504"))
        #expect(origin.requests.count == 2)
        await proxy.stop()
    }

    @Test("identical bodies lie on the disk once, and yet answer only the account that was sent them")
    func identical() async throws {
        let body = String(repeating: "the same for all, ", count: 20_000)
        let origin = try await PageOrigin.start { request in
            let user = request.cookie("user") ?? "nobody"
            return PageOrigin.Answer(fields: ["Cache-Control": Self.kept, "X-User": user], body: body)
        }
        let proxy = try await proxy()
        proxy.account = "a"
        _ = try await get("/terms", of: origin, as: "a", through: proxy)
        proxy.account = "b"
        proxy.connectivity = .disconnected
        let none = try await get("/terms", of: origin, as: "b", through: proxy)
        #expect(none.hasPrefix("HTTP/1.1 504") && !none.contains("the same for all"))
        proxy.connectivity = .connected
        #expect(try await get("/terms", of: origin, as: "b", through: proxy).contains("fwd=uri-miss"))
        proxy.connectivity = .disconnected
        for user in ["a", "b"] {
            proxy.account = user
            let answer = try await get("/terms", of: origin, as: user, through: proxy)
            #expect(answer.contains("X-User: \(user)\r\n") && answer.hasSuffix(body))
        }
        let usage = try await proxy.store.usage()
        #expect(usage.entries == 2 && usage.bodies == 1)
        // The body that both share outlives the one who removes what is theirs.
        _ = try await proxy.store.removeEntries(origin: "http://127.0.0.1:\(origin.port)", partition: "a")
        proxy.account = "b"
        #expect(try await get("/terms", of: origin, as: "b", through: proxy).hasSuffix(body))
        proxy.account = "a"
        #expect(try await get("/terms", of: origin, as: "a", through: proxy).hasPrefix("HTTP/1.1 504"))
        await proxy.stop()
    }

    /// Where the request of the first account stands when the second one asks.
    enum Moment: CaseIterable {
        case beforeTheHead, amidTheBody
    }

    @Test("a request of one account that is in flight is not shared with another", arguments: Moment.allCases)
    func inFlight(_ moment: Moment) async throws {
        let gate = Latch()
        let origin = try await PageOrigin.start { request in
            let user = request.cookie("user") ?? "nobody"
            guard user == "a" else {
                return PageOrigin.Answer(fields: ["Cache-Control": Self.kept], body: "all of b")
            }
            if moment == .beforeTheHead { await gate.pass() }
            return PageOrigin.Answer(
                fields: ["Cache-Control": Self.kept], body: "half of a",
                rest: {
                    if moment == .amidTheBody { await gate.pass() }
                    return ", all of a"
                })
        }
        let proxy = try await proxy()
        proxy.account = "a"
        async let first = get("/me", of: origin, as: "a", through: proxy)
        await gate.arrived()
        proxy.account = "b"
        // Waits for nobody: the gate is shut.
        let second = try await get("/me", of: origin, as: "b", through: proxy)
        #expect(second.hasSuffix("all of b") && second.contains("fwd=uri-miss") && !second.contains("of a"))
        #expect(!second.contains("collapsed"))
        gate.open()
        #expect(try await first.hasSuffix("half of a, all of a"))
        proxy.connectivity = .disconnected
        #expect(try await get("/me", of: origin, as: "b", through: proxy).hasSuffix("all of b"))
        proxy.account = "a"
        #expect(try await get("/me", of: origin, as: "a", through: proxy).hasSuffix("half of a, all of a"))
        await proxy.stop()
    }

    @Test("a validation behind one account's back ends in its partition, though another has come meanwhile")
    func background() async throws {
        let gate = Latch()
        let isFirst = RequestCounter()
        let origin = try await PageOrigin.start { _ in
            let number = isFirst.next()
            if number == 2 { await gate.pass() }
            return PageOrigin.Answer(
                fields: ["Cache-Control": "max-age=0, stale-while-revalidate=600"], body: "number \(number)")
        }
        let log = ReportLog()
        let proxy = try await proxy(log)
        proxy.account = "a"
        #expect(try await get("/feed", of: origin, as: "a", through: proxy).hasSuffix("number 1"))
        #expect(try await get("/feed", of: origin, as: "a", through: proxy).hasSuffix("number 1"))
        await gate.arrived()
        proxy.account = "b"
        gate.open()
        #expect(try await get("/feed", of: origin, as: "b", through: proxy).hasSuffix("number 3"))
        proxy.connectivity = .disconnected
        #expect(try await get("/feed", of: origin, as: "b", through: proxy).hasSuffix("number 3"))
        proxy.account = "a"
        var answer = ""
        // The validation is stored when it has ended, which nobody waits for.
        while !answer.hasSuffix("number 2"), !answer.hasSuffix("number 3") {
            answer = try await get("/feed", of: origin, as: "a", through: proxy)
        }
        #expect(answer.hasSuffix("number 2"))
        await proxy.stop()
    }

    @Test("on one connection of a client each request counts for the account of its moment")
    func oneConnection() async throws {
        let origin = try await PageOrigin.start { request in
            PageOrigin.Answer(fields: ["Cache-Control": Self.kept], body: "of \(request.cookie("user") ?? "nobody").")
        }
        let proxy = try await proxy()
        let client = try await WireClient.open(port: proxy.port)
        let head = "GET http://127.0.0.1:\(origin.port)/me HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\nCookie: user="
        for (number, (user, asked)) in [("a", 1), ("b", 2), ("a", 2), ("b", 2)].enumerated() {
            proxy.account = user
            client.send(head + user + "\r\n\r\n")
            var all = ""
            while all.split(separator: "\r\n\r\nof ").count < number + 2 { all = try await client.read(until: ".") }
            #expect(all.hasSuffix("of \(user)."))
            #expect(origin.requests.count == asked, "after \(user)")
        }
        await proxy.stop()
    }

    @Test("larder proxy --account keeps accounts apart in one store, and its log names none", arguments: [false, true])
    func tool(_ json: Bool) async throws {
        let origin = try await PageOrigin.start { request in
            .page("page of \(request.cookie("user") ?? "nobody")", "", ["Cache-Control": Self.kept])
        }
        let url = "http://127.0.0.1:\(origin.port)/me"
        let store = ["--store", folder.store, "--no-auth", "--log"] + (json ? ["--json"] : [])
        for (account, asked) in [("secret-a", 1), ("secret-b", 2), ("secret-a", 2), ("", 3)] {
            let errors = try OutputPipe()
            let proxy = try RunningProxy(store + (account.isEmpty ? [] : ["--account", account]), errors: errors)
            let address = proxy.address.firstMatch(of: #/http://[0-9.:]+/#).map { String($0.0) } ?? ""
            // Twice: what the second one finds is stored, also for the next process.
            for _ in 1...2 {
                let answer = try await ToolProcess.curl(["-i", "-x", address, "-b", "user=\(account)", url])
                #expect(answer.out.contains("page of \(account)<"))
            }
            #expect(origin.requests.count == asked)
            proxy.stop()
            let log = String(decoding: await errors.readAll(), as: UTF8.self)
            #expect(log.contains(url) && !log.contains("secret"))
        }
        let explained = try await ToolProcess.run(
            ToolProcess.larder, ["explain", url, "--store", folder.store])
        #expect(!explained.out.contains("secret"))
    }
}
