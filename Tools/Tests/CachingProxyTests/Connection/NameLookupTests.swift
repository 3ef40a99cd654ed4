import CachingProxy
import Foundation
import Locking
import NIOCore
import NIOPosix
import OriginDialing
import Testing
import WireSupport

/// Names whose name server is silent, as dead trackers on a bad network are. From sockets, with a resolver of the
/// test's.
@Suite("Names that nobody answers", .serialized, .timeLimit(.minutes(60)))
struct NameLookupTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"

    /// Of all look-ups: what a page may take.
    private static let half = 6

    private let names = SilentNames()
    private let now = LockedBox(NIODeadline.now())

    private func bench(connectTimeout: TimeAmount = .hours(1)) async throws -> TunnelBench {
        var limits = NameLookups.Limits()
        limits.lookups = 2 * Self.half
        let lookups = NameLookups(limits: limits, now: { [now] in now.withLock { $0 } }, ask: names.ask)
        return try await TunnelBench(connectTimeout: connectTimeout, lookups: lookups)
    }

    private func get(_ host: String, _ fields: String = "", path: String = "/") -> String {
        "GET http://\(host)\(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(fields)\r\n"
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The request for a name of this number.
        var request: @Sendable (Int) -> String

        init(_ name: String, _ fields: String, host: String = "dead#.test") {
            self.init(name) { number in
                "GET http://\(host)/ HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(fields)\r\n"
                    .replacing("#", with: "\(number)")
            }
        }

        init(_ name: String, request: @escaping @Sendable (Int) -> String) {
            (testDescription, self.request) = (name, request)
        }
    }

    static let rows = [
        Row("a page", "Referer: https://page.test/a\r\n"),
        Row("a page that says its origin alone", "Origin: https://page.test\r\n"),
        Row("frames of a page, each on a name of its own", "Referer: https://a#.page.test/\r\n"),
        Row("a page that does not say who it is", "Sec-Fetch-Dest: image\r\n"),
        Row("documents of one site", "Sec-Fetch-Dest: document\r\n", host: "dead#.page.test"),
        Row("documents of one site in plain http", "Accept: text/html\r\n", host: "dead#.page.test"),
        Row("WebSockets of a page") { number in
            "GET http://dead\(number).test/ HTTP/1.1\r\nHost: dead\(number).test\r\nConnection: Upgrade\r\n"
                + "Upgrade: websocket\r\nOrigin: https://page.test\r\n\r\n"
        },
        Row("tunnels to one site") { number in
            "CONNECT dead\(number).page.test:443 HTTP/1.1\r\nHost: dead\(number).page.test:443\r\n\r\n"
        },
    ]

    @Test("keep no other site waiting, and take no more than half of the look-ups", arguments: rows)
    func share(_ row: Row) async throws {
        let bench = try await bench()
        let origin = try await WireOrigin.start(answer: Self.ok, closes: true)
        var clients: [WireClient] = []
        for number in 0..<40 {
            let client = try await WireClient.open(port: bench.port)
            client.send(row.request(number))
            clients.append(client)
        }
        let names = names
        try await onThread { names.wait(for: Self.half) }
        for fields in [
            "Sec-Fetch-Dest: document\r\nReferer: https://page.test/\r\n", "Referer: https://bank.test/\r\n",
        ] {
            let text = try await WireClient.exchange(get("bank.test:\(origin.port)", fields), port: bench.port)
            #expect(WireResponse(text)?.status == 200, "\(text)")
        }
        #expect(names.most == Self.half)
        names.speak()
        for client in clients {
            let status = WireResponse(try await client.readToEnd())?.status ?? 0
            #expect(status == 502 || status == 504, "\(status)")
        }
        #expect(names.most == Self.half && names.asked.count == 41)
    }

    @Test("who waits for room is not held up by the others of the page for longer than these take")
    func queue() async throws {
        let bench = try await bench()
        let origin = try await WireOrigin.start(answer: Self.ok, closes: true)
        let page = "Referer: https://page.test/\r\n"
        var clients: [WireClient] = []
        for number in 0..<Self.half {
            let client = try await WireClient.open(port: bench.port)
            client.send(get("dead\(number).test", page))
            clients.append(client)
        }
        let names = names
        try await onThread { names.wait(for: Self.half) }
        let client = try await WireClient.open(port: bench.port)
        client.send(get("cdn.test:\(origin.port)", page))
        // Another page wants the same name, and does not wait for the first one's.
        let other = try await WireClient.exchange(
            get("cdn.test:\(origin.port)", "Referer: https://bank.test/\r\n", path: "/b"), port: bench.port)
        #expect(WireResponse(other)?.status == 200)
        #expect(WireResponse(try await client.readToEnd())?.status == 200)
        names.speak()
        #expect(names.asked.filter { $0 == "cdn.test" }.count == 1)
    }

    @Test("a name is looked up once for all who want it, and not again for a minute")
    func lately() async throws {
        let bench = try await bench()
        let origin = try await WireOrigin.start(answer: Self.ok, closes: true)
        for (seconds, count) in [(0, 1), (30, 1), (59, 1), (61, 2), (70, 2)] {
            let time = NIODeadline.uptimeNanoseconds(0) + .seconds(Int64(1_000 + seconds))
            now.withLock { $0 = time }
            let text = try await WireClient.exchange(
                get("SHOP.test:\(origin.port)", "Cache-Control: no-store\r\n"), port: bench.port)
            #expect(WireResponse(text)?.status == 200)
            #expect(names.asked.filter { $0 == "shop.test" }.count == count, "\(seconds)")
        }
    }

    @Test("a name at whose address nothing answers is looked up again")
    func moved() async throws {
        let bench = try await bench()
        let port = try ReservedPort()
        for count in 1...3 {
            let text = try await WireClient.exchange(get("shop.test:\(port.number)"), port: bench.port)
            #expect(WireResponse(text)?.status ?? 0 >= 500)
            #expect(names.asked.count == count)
        }
    }

    @Test("a look-up that takes too long is answered 504")
    func late() async throws {
        let bench = try await bench(connectTimeout: .milliseconds(50))
        let text = try await WireClient.exchange(get("dead.test"), port: bench.port)
        #expect(WireResponse(text)?.status == 504, "\(text)")
        names.speak()
    }
}
