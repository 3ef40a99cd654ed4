import CacheTesting
import Foundation
import Testing
import WireSupport

/// Numbers at the end of what 64 bits hold, from a page and from an origin, to `larder proxy` as a process.
@Suite("A number from the wire ends no process", .timeLimit(.minutes(60)))
struct GreatNumberTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func proxy() throws -> RunningProxy { try RunningProxy(["--store", folder.store, "--no-auth"]) }

    private func get(_ origin: WireOrigin, through proxy: RunningProxy, _ fields: String = "") async throws -> String {
        let port = try #require(proxy.address.split(separator: ":").last.flatMap { Int($0) })
        let host = "127.0.0.1:\(origin.port)"
        return try await WireClient.exchange(
            "GET http://\(host)/film HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\(fields)\r\n", port: port)
    }

    private static let head = "ETag: \"a\"\r\nCache-Control: max-age=60\r\n"
    private static let whole = WireOrigin.Answer(
        text: "HTTP/1.1 200 OK\r\n\(head)Content-Length: 10\r\n\r\nhelloworld")

    @Test(
        "a range that ends beyond all numbers, of a beginning whose end is not known, also after a restart",
        arguments: ["99999999999999999999", "9223372036854775807", "9223372036854775806"])
    func endOfRange(last: String) async throws {
        let origin = try await WireOrigin.start { _, number in
            guard number == 1 else { return Self.whole }
            return .init(
                text: "HTTP/1.1 200 OK\r\n\(Self.head)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", closes: true)
        }
        var proxy = try proxy()
        #expect(try await get(origin, through: proxy).contains("hello"))
        proxy.stop()
        proxy = try self.proxy()
        let answer = try await get(origin, through: proxy, "Range: bytes=0-\(last)\r\n")
        #expect(WireResponse(answer)?.rest == "helloworld", "\(answer)")
        #expect(proxy.process.ending == nil)
    }

    @Test(
        "a rest whose length is not that of its range, so that the whole is asked for",
        arguments: ["9223372036854775807", "9223372036854775803", "6", "4"])
    func lengthOfRest(stated: String) async throws {
        let origin = try await WireOrigin.start { _, number in
            switch number {
            case 1: .init(text: "HTTP/1.1 200 OK\r\n\(Self.head)Content-Length: 10\r\n\r\nhello", closes: true)
            case 2:
                .init(
                    text: "HTTP/1.1 206 Partial Content\r\n\(Self.head)Content-Range: bytes 5-9/10\r\n"
                        + "Content-Length: \(stated)\r\n\r\nworld")
            default: Self.whole
            }
        }
        let proxy = try proxy()
        _ = try await get(origin, through: proxy)
        let answer = try await get(origin, through: proxy)
        #expect(WireResponse(answer)?.status == 200, "\(answer)")
        #expect(WireResponse(answer)?.rest == "helloworld", "\(answer)")
        #expect(proxy.process.ending == nil)
    }

    @Test("a part at the end of all numbers, and one that goes on from there")
    func partAtTheEnd() async throws {
        let origin = try await WireOrigin.start { _, number in
            .init(
                text: "HTTP/1.1 206 Partial Content\r\n\(Self.head)"
                    + "Content-Range: bytes 922337203685477580\(number)-9223372036854775806/9223372036854775807\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n\(7 - number)\r\n\("world!".dropFirst(number - 1))\r\n0\r\n\r\n"
            )
        }
        let proxy = try proxy()
        for first in [1, 2, 1] {
            let answer = try await get(
                origin, through: proxy, "Range: bytes=922337203685477580\(first)-9223372036854775807\r\n")
            #expect(WireResponse(answer)?.status == 206, "\(answer)")
        }
        #expect(proxy.process.ending == nil)
    }
}
