import CacheEngine
import CacheTesting
import Decoding
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("The head of decoded content")
struct DecodedHeadTests {
    private static let digest = HTTPField.Name("Repr-Digest")

    @Test("what is true of the coded content only is left out, all else stays (RFC 9110 §8.4, §8.6; RFC 9530 §3)")
    func fields() throws {
        var fields: HTTPFields = [
            .contentEncoding: "gzip", .contentLength: "10", .acceptRanges: "bytes", .eTag: "\"a\"",
            .contentType: "text/css", .vary: "Accept-Encoding", .cacheControl: "max-age=1",
        ]
        fields[try #require(Self.digest)] = "sha-256=:AA==:"
        let decoded = try #require(DecodedHead(HTTPResponse(status: .ok, headerFields: fields)))
        #expect(
            decoded.head.headerFields == [
                .eTag: "W/\"a\"", .contentType: "text/css", .vary: "Accept-Encoding", .cacheControl: "max-age=1",
            ])
        #expect(!decoded.codings.isEmpty)
    }

    struct Tag: Sendable {
        var coding: String?
        var sent: String
        var got: String?
    }

    @Test(
        "§8.8.3.3: a coding changes a strong entity tag; taking it off leaves a weak one",
        arguments: [
            Tag(coding: "gzip", sent: "\"a\"", got: "W/\"a\""),
            Tag(coding: "gzip", sent: "W/\"a\"", got: "W/\"a\""),
            Tag(coding: "gzip", sent: "a", got: nil),
            Tag(coding: "identity", sent: "\"a\"", got: "\"a\""),
            Tag(coding: nil, sent: "\"a\"", got: "\"a\""),
        ])
    func entityTag(_ row: Tag) throws {
        var head = HTTPResponse(status: .ok, headerFields: [.eTag: row.sent, .contentLength: "3"])
        head.headerFields[.contentEncoding] = row.coding
        let decoded = try #require(DecodedHead(head))
        #expect(decoded.head.headerFields[.eTag] == row.got)
        #expect(decoded.head.headerFields[.contentEncoding] == nil)
        #expect(decoded.head.headerFields[.contentLength] == (row.coding == "gzip" ? nil : "3"))
    }

    @Test("a part of coded content, and other codings, can't be decoded; a part of plain content needs no decoding")
    func refused() {
        func head(_ status: HTTPResponse.Status, _ coding: String) -> HTTPResponse {
            HTTPResponse(status: status, headerFields: [.contentEncoding: coding])
        }
        #expect(DecodedHead(head(.partialContent, "gzip")) == nil)
        #expect(DecodedHead(head(.ok, "zstd")) == nil)
        #expect(DecodedHead(head(.partialContent, "identity")) != nil)
        #expect(DecodedHead(HTTPResponse(status: .partialContent)) != nil)
    }

    @Test("Fetch §4.6: with Range no coding is asked for")
    func acceptEncoding() {
        let known = ContentCodings.decodesBrotli ? "gzip, deflate, br" : "gzip, deflate"
        #expect(ContentCodings.acceptEncoding(for: [:]) == known)
        #expect(ContentCodings.acceptEncoding(for: [.acceptEncoding: "zstd"]) == known)
        #expect(ContentCodings.acceptEncoding(for: [.range: "bytes=0-"]) == "identity")
    }

    @Test("short content in memory stays in memory; long, damaged and streamed content becomes a stream")
    func bodies() async throws {
        let decoded = try #require(
            DecodedHead(HTTPResponse(status: .ok, headerFields: [.contentEncoding: "gzip"])))
        guard case .bytes(CodedContent.text) = decoded.decode(.bytes(CodedContent.gzip)) else {
            Issue.record("not in memory")
            return
        }
        guard case .empty = decoded.decode(.empty) else {
            Issue.record("not empty")
            return
        }
        let streamed = decoded.decode(.stream(ScriptedBody([CodedContent.gzip]), length: 9))
        #expect(streamed.length == nil)
        #expect(try await streamed.collect(upTo: .kibibytes(64)) == CodedContent.text)
        await #expect(throws: ContentDecodingError.self) {
            _ = try await decoded.decode(.bytes([1])).collect(upTo: .kibibytes(1))
        }
        let plain = try #require(DecodedHead(HTTPResponse(status: .ok)))
        #expect(plain.decode(.bytes([1])).length == 1)
    }
}
