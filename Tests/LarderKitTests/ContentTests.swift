import CacheTesting
import Foundation
import LarderKit
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `data(for:)` against what `URLSession` does, RFC 9110 and Fetch.
@Suite("The content of a URLRequest", .timeLimit(.minutes(5)))
struct ContentTests {
    private static let page = "https://shop.example/"
    private static let fresh: HTTPFields = [.cacheControl: "max-age=600", .contentType: "text/plain"]

    private func temporary(_ body: (Larder, ScriptedTransport) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let transport = ScriptedTransport()
        let configuration = LarderConfiguration(directory: URL(fileURLWithPath: directory.store))
        try await body(try Larder(configuration, transport: transport), transport)
    }

    private func request(_ path: String = "", _ change: (inout URLRequest) -> Void = { _ in }) -> URLRequest {
        var request = URLRequest(patient: Self.page + path)
        change(&request)
        return request
    }

    @Test(
        "status, fields and the URL behind the redirects come with the content", arguments: [200, 404, 410, 500, 503])
    func heads(_ status: Int) async throws {
        try await temporary { larder, transport in
            transport.on(Self.page + "a") { _ in ScriptedTransport.answer(301, [.location: "/b#part"], body: "moved") }
            transport.on(Self.page + "b") { _ in ScriptedTransport.answer(status, Self.fresh, body: "text") }
            let (data, response) = try await larder.data(for: request("a"))
            #expect(data == Data("text".utf8))
            #expect(response.statusCode == status)
            #expect(response.value(forHTTPHeaderField: "Content-Type") == "text/plain")
            #expect(response.value(forHTTPHeaderField: "Cache-Status")?.hasPrefix("Larder; fwd=uri-miss") == true)
            #expect(response.url?.absoluteString.hasPrefix(Self.page + "b") == true)
        }
    }

    @Test(
        "a web view's cookies and passwords, which a stored response was selected by, are not sent",
        arguments: ["Cookie", "Authorization"])
    func secrets(_ name: String) async throws {
        try await temporary { larder, transport in
            let field = try #require(HTTPField.Name(name))
            transport.on(Self.page) { _ in
                ScriptedTransport.answer(
                    200, [.vary: name, .cacheControl: "max-age=0, public", .eTag: "\"1\"", .contentType: "text/plain"],
                    body: "of Ann")
            }
            let ofView = request { $0.setValue("secret", forHTTPHeaderField: name) }
            _ = try await larder.data(for: ofView)
            _ = try await larder.data(for: request())
            #expect(transport.requests.map { $0.head.headerFields[field] } == ["secret", nil])
            _ = try await larder.data(for: ofView)
            #expect(transport.requests.last?.head.headerFields[field] == "secret")
        }
    }

    @Test(
        "a response that was decoded says nothing of its coding; who asks for a coding, or for a range, gets it as sent"
    )
    func codings() async throws {
        // "hello, hello, hello" by gzip -9n.
        let gzip: [UInt8] = [
            0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xFF, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xD7, 0x51, 0xC8,
            0x40, 0xA2, 0x00, 0x9F, 0xA1, 0xCA, 0x09, 0x13, 0x00, 0x00, 0x00,
        ]
        let coded: HTTPFields = [
            .contentEncoding: "gzip", .contentType: "text/plain", .eTag: "\"1\"", .acceptRanges: "bytes",
        ]
        try await temporary { larder, transport in
            transport.on(Self.page) { _ in
                var fields = coded
                for name in ["Content-Digest", "Repr-Digest", "Digest", "Content-MD5"] {
                    if let name = HTTPField.Name(name) { fields[name] = "sha-256=:AAAA:" }
                }
                return ScriptedTransport.answer(200, fields, body: gzip)
            }
            let (data, response) = try await larder.data(for: request())
            #expect(data == Data("hello, hello, hello".utf8))
            #expect(response.value(forHTTPHeaderField: "Content-Encoding") == nil)
            #expect(response.value(forHTTPHeaderField: "Content-Length") == nil)
            // RFC 9110 §8.8.3.3 and RFC 9530 are about the coded content; sessions never showed these (issue 28).
            #expect(response.value(forHTTPHeaderField: "ETag") == "W/\"1\"")
            for name in ["Content-Digest", "Repr-Digest", "Digest", "Content-MD5", "Accept-Ranges"] {
                #expect(response.value(forHTTPHeaderField: name) == nil, "\(name)")
            }
            let own = request { $0.setValue("gzip", forHTTPHeaderField: "Accept-Encoding") }
            let (sent, ownResponse) = try await larder.data(for: own)
            #expect(sent == Data(gzip))
            #expect(ownResponse.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
            _ = try await larder.data(for: request { $0.setValue("bytes=0-1", forHTTPHeaderField: "Range") })
            #expect(transport.requests.last?.head.headerFields[.acceptEncoding] == "identity")
            // RFC 9110 §9.2.2: a POST is not sent again for another coding.
            transport.on(Self.page + "post") { _ in ScriptedTransport.answer(200, [.contentEncoding: "zstd"], body: "x")
            }
            let error = await #expect(throws: EngineError.self) {
                try await larder.data(for: request("post") { $0.httpMethod = "POST" })
            }
            #expect(error?.code == .contentUnreadable)
            #expect(transport.requests(to: Self.page + "post").count == 1)
        }
    }

    struct Redirect: Sendable, CustomTestStringConvertible {
        var status: Int
        var method = "POST"
        var expected: String
        var testDescription: String { "\(status) after \(method)" }
    }

    @Test(
        "what a redirect makes of a request, Fetch §4.4 (RFC 9110 §15.4)",
        arguments: [
            Redirect(status: 301, expected: "GET"), Redirect(status: 302, expected: "GET"),
            Redirect(status: 303, expected: "GET"), Redirect(status: 307, expected: "POST"),
            Redirect(status: 308, expected: "POST"), Redirect(status: 301, method: "PUT", expected: "PUT"),
            Redirect(status: 303, method: "PUT", expected: "GET"),
            Redirect(status: 303, method: "HEAD", expected: "HEAD"),
        ])
    func redirects(_ row: Redirect) async throws {
        try await temporary { larder, transport in
            let other = "https://other.example/"
            transport.on(Self.page) { _ in ScriptedTransport.answer(row.status, [.location: other]) }
            transport.on(other) { _ in ScriptedTransport.answer(200, [:], body: row.method == "HEAD" ? "" : "end") }
            let (_, response) = try await larder.data(
                for: request {
                    $0.httpMethod = row.method
                    if row.method != "HEAD" { $0.httpBody = Data("form".utf8) }
                    $0.setValue("text/form", forHTTPHeaderField: "Content-Type")
                    $0.setValue("secret", forHTTPHeaderField: "Authorization")
                    $0.setValue("a=b", forHTTPHeaderField: "Cookie")
                })
            #expect(response.url?.absoluteString == other)
            let last = try #require(transport.requests(to: other).last)
            #expect(last.head.method.rawValue == row.expected)
            let keeps = row.expected == row.method
            #expect(last.head.headerFields.contains(.contentType) == keeps)
            #expect((last.body != nil) == (keeps && row.method != "HEAD"))
            #expect(!last.head.headerFields.contains(.authorization) && !last.head.headerFields.contains(.cookie))
            let first = try #require(transport.requests(to: Self.page).first)
            #expect(first.head.headerFields[.authorization] == "secret")
        }
    }

    struct Policy: Sendable, CustomTestStringConvertible {
        var policy: URLRequest.CachePolicy
        /// What comes where a stale response is stored.
        var stored: String?
        /// What comes where nothing is.
        var none: String?
        var testDescription: String { "\(policy.rawValue)" }
    }

    @Test(
        "cachePolicy says what the store may answer, as documented for NSURLRequest.CachePolicy",
        arguments: [
            Policy(policy: .useProtocolCachePolicy, stored: "origin", none: "origin"),
            Policy(policy: .reloadIgnoringLocalCacheData, stored: "origin", none: "origin"),
            Policy(policy: .reloadIgnoringLocalAndRemoteCacheData, stored: "origin", none: "origin"),
            Policy(policy: .returnCacheDataElseLoad, stored: "store", none: "origin"),
            Policy(policy: .returnCacheDataDontLoad, stored: "store", none: nil),
            Policy(policy: .reloadRevalidatingCacheData, stored: "origin", none: "origin"),
        ])
    func cachePolicies(_ row: Policy) async throws {
        try await temporary { larder, transport in
            larder.rules = .protocolOnly
            for path in ["stored", "none"] {
                transport.on(Self.page + path) { _ in ScriptedTransport.answer(200, Self.fresh, body: "origin") }
            }
            try await larder.store(
                Data("store".utf8), for: URL(test: Self.page + "stored"), fields: [.cacheControl: "max-age=0"])
            for (path, expected) in [("stored", row.stored), ("none", row.none)] {
                let request = request(path) { $0.cachePolicy = row.policy }
                if let expected {
                    let (data, _) = try await larder.data(for: request)
                    #expect(String(decoding: data, as: UTF8.self) == expected, "\(path)")
                } else {
                    let error = await #expect(throws: EngineError.self) { try await larder.data(for: request) }
                    #expect(error?.code == .notStored)
                }
            }
        }
    }

    @Test("fields of the connection are not the app's; what can't be sent is refused before anything is")
    func requests() async throws {
        try await temporary { larder, transport in
            transport.on(Self.page) { _ in ScriptedTransport.answer(200, [:], body: "") }
            _ = try await larder.data(
                for: request {
                    $0.httpMethod = "PUT"
                    $0.httpBody = Data([1, 2, 3])
                    for name in ["Host", "Connection", "Transfer-Encoding", "X-Own"] {
                        $0.setValue("x", forHTTPHeaderField: name)
                    }
                })
            let sent = try #require(transport.requests.last)
            #expect(sent.head.headerFields.map { $0.name.rawName }.contains("X-Own"))
            for name in ["host", "connection", "transfer-encoding"] {
                #expect(!sent.head.headerFields.contains { $0.name.canonicalName == name }, "\(name)")
            }
            #expect(sent.body?.length == 3)
            var stream = request { $0.httpMethod = "POST" }
            stream.httpBodyStream = InputStream(data: Data([1]))
            for bad in [
                stream, request { $0.httpMethod = "NO METHOD" }, URLRequest(url: URL(test: "ftp://a.example/")),
            ] {
                let error = await #expect(throws: EngineError.self) { try await larder.data(for: bad) }
                #expect(error?.code == .invalidRequest)
            }
            #expect(transport.requests.count == 1)
        }
    }
}
