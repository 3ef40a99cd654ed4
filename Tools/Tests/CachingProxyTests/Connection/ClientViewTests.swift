import CacheTesting
import CachingProxy
import Foundation
import Locking
import ResponseStore
import Testing
import WireSupport

/// What each client may see while others ask, reload and write: its own reloads and writes, and never an older state
/// than it has seen already. RFC 9111 §4.4 and §5.2.1.4.
@Suite("What a client sees, while others ask for the same", .serialized, .timeLimit(.minutes(60)))
struct ClientViewTests {
    /// An origin that numbers all states of each path; the content of each answer is a number and some more octets, so
    /// that some answers take longer than others.
    private static func origin(_ states: LockedBox<[String: Int]> = LockedBox([:])) async throws -> WireOrigin {
        try await WireOrigin.start { request, number in
            let path = String(request.split(separator: " ")[1])
            let state = states.withLock { states in
                states[path, default: 0] += 1
                return states[path] ?? 0
            }
            // Steps that have no pattern in common with the order of the requests.
            let more = number &* 7_919 % 11 * 20_000
            let content = "state \(state);" + String(repeating: ".", count: more)
            return .init(
                text: "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: \(content.utf8.count)\r\n\r\n"
                    + content)
        }
    }

    /// The number in an answer.
    private static func state(_ answer: WireResponse?) throws -> Int {
        let content = try #require(answer).rest
        return try #require(Int(content.dropFirst("state ".count).prefix { $0 != ";" }))
    }

    @Test("who has reloaded gets what the reload brought, also when the disk is slow", arguments: [false, true])
    func ownReload(_ isOnDisk: Bool) async throws {
        let folder = try TemporaryDirectory()
        let store: any ResponseStorage =
            isOnDisk ? try DiskResponseStore(directory: folder.path) : MemoryResponseStore()
        let bench = try await WireBench(try await Self.origin(), store: store)
        _ = try await bench.ask()
        for round in 0..<40 {
            // In the same words each time, so that the requests are known by their octets.
            let reloaded = try Self.state(try await bench.ask(fields: "Cache-Control: no-cache\r\n"))
            #expect(try Self.state(try await bench.ask()) == reloaded, "round \(round)")
        }
    }

    /// More with LARDER_HISTORIES.
    private static let histories = UInt64(ProcessInfo.processInfo.environment["LARDER_HISTORIES"] ?? "") ?? 3

    @Test("no client goes back in time", arguments: 1...histories)
    func monotonous(_ seed: UInt64) async throws {
        let folder = try TemporaryDirectory()
        let bench = try await WireBench(
            try await Self.origin(), store: try DiskResponseStore(directory: folder.path))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<12 {
                group.addTask {
                    var dice = SplitMix64(seed: seed &* 1_000 &+ UInt64(client))
                    var seen: [String: Int] = [:]
                    for round in 0..<60 {
                        let path = dice.pick(["/a", "/b", "/c", "/d"])
                        let (method, fields) = dice.pick([
                            ("GET", ""), ("GET", ""), ("GET", ""), ("GET", "Cache-Control: no-cache\r\n"),
                            ("GET", "Cache-Control: max-age=0\r\n"), ("PUT", "Content-Length: 0\r\n"),
                        ])
                        let state = try Self.state(try await bench.ask(method, path, fields: fields))
                        #expect(
                            state >= seen[path] ?? 0, "\(client), \(round): \(method) \(path) \(fields)")
                        seen[path] = state
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("who asks after a removal gets nothing from before it, while others ask and removals go on")
    func removed() async throws {
        let (states, folder) = (LockedBox<[String: Int]>([:]), try TemporaryDirectory())
        let bench = try await WireBench(
            try await Self.origin(states), store: try DiskResponseStore(directory: folder.path))
        let selections = [
            EntrySelection.everything, EntrySelection(host: "shop.test"), EntrySelection(partition: ""),
            EntrySelection(uri: "http://shop.test/a", partition: ""), EntrySelection(uri: "http://shop.test/a"),
        ]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<8 {
                group.addTask {
                    for round in 0..<40 {
                        let fields = round % 5 == client % 5 ? "Cache-Control: no-cache\r\n" : ""
                        _ = try Self.state(try await bench.ask("GET", "/a", fields: fields))
                    }
                }
            }
            group.addTask {
                for round in 0..<60 {
                    let before = states.withLock { $0["/a"] ?? 0 }
                    try await bench.cache.remove(selections[round % selections.count])
                    #expect(try Self.state(try await bench.ask("GET", "/a")) > before, "removal \(round)")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("no account sees what another one was sent, while accounts are switched, signed out and reloaded")
    func accounts() async throws {
        let (account, last, folder) = (LockedBox("anna"), LockedBox(0), try TemporaryDirectory())
        let origin = try await WireOrigin.start { request, number in
            last.withLock { $0 = max($0, number) }
            let name = request.split(separator: "\r\n").first { $0.hasPrefix("Cookie: who=") }?.dropFirst(12) ?? "none"
            let content = "\(name) \(number);" + String(repeating: ".", count: number &* 7_919 % 11 * 20_000)
            return .init(
                text: "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: \(content.utf8.count)\r\n\r\n"
                    + content)
        }
        var configuration = ProxyConfiguration(mode: .forward(intercept: .none))
        configuration.account = { account.withLock { $0 } }
        let bench = try await WireBench(
            origin, store: try DiskResponseStore(directory: folder.path), configuration: configuration)
        var dice = SplitMix64(seed: 7)
        // The last request before an account was signed out.
        var newest: [String: Int] = [:]
        for round in 0..<40 {
            let name = dice.pick(["anna", "bert", "cleo"])
            account.withLock { $0 = name }
            if dice.next() % 4 == 0 {
                try await bench.cache.remove(EntrySelection(partition: name))
                newest[name] = last.withLock { $0 }
            }
            let floor = newest[name] ?? 0
            let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
                for client in 0..<6 {
                    let reload = client == 0 && round % 3 == 0 ? "Cache-Control: no-cache\r\n" : ""
                    group.addTask {
                        let answer = try #require(
                            try await bench.ask("GET", "/account", fields: "Cookie: who=\(name)\r\n" + reload))
                        let words = answer.rest.prefix { $0 != ";" }.split(separator: " ")
                        #expect(words.first.map(String.init) == name, "round \(round)")
                        return Int(words.last ?? "") ?? -1
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // Nothing from before the account was signed out.
            #expect(numbers.allSatisfy { $0 > floor }, "round \(round): \(numbers), \(floor)")
        }
    }

    @Test("what was asked for before another process has written is not stored after that")
    func otherProcessesWrite() async throws {
        let folder = try TemporaryDirectory()
        let asked = Gate()
        let origin = try await WireOrigin.start { request, _ in
            if request.hasPrefix("PUT") { return .init(text: "HTTP/1.1 204 No Content\r\n\r\n") }
            if request.contains("X-Hold") {
                asked.open()
                return .none
            }
            return .init(text: "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: 3\r\n\r\nnew")
        }
        let stores = try (0..<2).map { _ in try DiskResponseStore(directory: folder.path) }
        let reading = try await WireBench(origin, store: stores[0])
        let writing = try await WireBench(origin, store: stores[1])
        let client = try await WireClient.open(port: reading.port)
        client.send("GET http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\nX-Hold: 1\r\nConnection: close\r\n\r\n")
        try await asked.pass()
        #expect(try await writing.ask("PUT", fields: "Content-Length: 0\r\n")?.status == 204)
        origin.send("HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: 3\r\n\r\nold", on: 0)
        #expect(try await client.readToEnd().hasSuffix("old"))
        #expect(try await reading.ask()?.rest == "new")
        #expect(try await writing.ask()?.rest == "new")
    }
}

extension SplitMix64 {
    fileprivate mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(next() % UInt64(values.count))] }
}
