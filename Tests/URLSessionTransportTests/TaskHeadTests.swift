import CacheEngine
import CacheTesting
import Foundation
import HTTPTypes
import Testing

@testable import URLSessionTransport

@Suite("Heads as a session reports them")
struct TaskHeadTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var says: String
        var status = 200
        var fields: [(String, String)] = []
        var method = HTTPRequest.Method.get
        var length: Int64?
        var field: String?
        var isDecoded = false
        var testDescription: String { says }
    }

    @Test(
        "the length of the content, its field, and whether it is decoded",
        arguments: [
            Row(says: "RFC 9110 §8.6", fields: [("Content-Length", "5")], length: 5, field: "5"),
            Row(says: "no length"),
            Row(
                says: "RFC 9112 §6.3 rule 5: equal values", fields: [("Content-Length", "5, 5")], length: 5, field: "5"),
            Row(says: "RFC 9112 §6.3 rule 5: values that differ", fields: [("Content-Length", "5, 6")]),
            Row(says: "no number", fields: [("Content-Length", "+5")]),
            Row(says: "more than can be", fields: [("Content-Length", "99999999999999999999")]),
            Row(
                says: "RFC 9112 §6.3: a length that is overridden is not handed on",
                fields: [("Content-Length", "5"), ("Transfer-Encoding", "chunked")]),
            Row(says: "§9.3.2: HEAD", fields: [("Content-Length", "5")], method: .head, length: 0, field: "5"),
            Row(says: "§15.3.5: 204", status: 204, length: 0),
            Row(says: "§15.4.5: 304", status: 304, fields: [("Content-Length", "5")], length: 0, field: "5"),
            Row(
                says: "§8.4: gzip", fields: [("content-encoding", "GZIP"), ("Content-Length", "5")], length: 5,
                field: "5", isDecoded: true),
            Row(says: "§8.4.1: x-gzip", fields: [("Content-Encoding", "x-gzip, br")], isDecoded: true),
            Row(says: "one of two is unknown", fields: [("Content-Encoding", "gzip, zstd")]),
            Row(
                says: "a coded HEAD has nothing to decode", fields: [("Content-Encoding", "gzip")], method: .head,
                length: 0),
        ])
    func head(_ row: Row) throws {
        let head = try #require(TaskHead(status: row.status, fields: row.fields, to: row.method))
        #expect(head.contentLength == row.length)
        #expect(head.response.headerFields[.contentLength] == row.field)
        #expect(head.isDecoded == row.isDecoded)
    }

    @Test(
        "an address goes out with its own escapes, whatever octets WebKit left raw beside them (RFC 9110 §7.1)",
        arguments: [
            ("/search?filter[]=caf%C3%A9%20noir", "/search?filter%5B%5D=caf%C3%A9%20noir"),
            ("/css?family=Open+Sans|Roboto%20Slab", "/css?family=Open+Sans%7CRoboto%20Slab"),
            ("/?q=100%", "/?q=100%25"), ("/a%2Fb?x=%26", "/a%2Fb?x=%26"),
        ])
    func address(_ row: (path: String, sent: String)) throws {
        let head = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: row.path)
        let sent = try URLRequest(TransportRequest(head: head))
        #expect(sent.url?.absoluteString == "https://shop.test" + row.sent)
    }

    @Test("what is no final status is no head", arguments: [-1, 0, 99, 100, 103, 199, 1_000, Int.max])
    func statuses(_ status: Int) {
        #expect(TaskHead(status: status, fields: [], to: .get) == nil)
    }

    @Test("whatever a server sends is read without a trap, and no cookie's octet is lost")
    func hostile() {
        for seed in 0..<20_000 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            let alphabet: [UInt8] = Array("a1=;, \t\"GMT-:\u{0}\u{7F}é".utf8)
            func text() -> String {
                let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                }
                return String(decoding: bytes, as: UTF8.self)
            }
            let cookies = text()
            let kept: (UInt8) -> Bool = { $0 != 0x2C && $0 != 0x20 && $0 != 0x09 }
            let lines = SetCookieLines.split(cookies)
            #expect(lines.joined().utf8.filter(kept) == cookies.utf8.filter(kept))
            let names = ["Set-Cookie", "Content-Length", "Content-Encoding", "ETag", text()]
            _ = TaskHead(
                status: Int.random(in: -1...1_001, using: &random), fields: names.map { ($0, text()) }, to: .get)
            _ = TaskHead.interim(
                status: Int.random(in: 90...210, using: &random), fields: names.map { ($0, text()) })
        }
    }
}
