import CacheEngine
import CacheTesting
import HTTPTypes
import NIOPosix
import NIOTransport
import OriginDialing
import ResponseStore
import Testing
import URLSessionTransport
import WireSupport

/// One store under the transport that hands content over as it came and the one that takes codings off, from sockets.
@Suite("One store under both transports", .serialized, .timeLimit(.minutes(10)))
struct SharedStoreTests {
    private static let trust = Result { try OriginTrust() }
    /// "hello" in gzip.
    private static let gzipped: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
    ]

    private static func get(
        _ cache: ResponseCache, _ authority: String, _ fields: HTTPFields, _ path: String = "/a"
    ) async throws -> (EngineResponse, [UInt8]) {
        let answer = await cache.respond(
            to: EngineRequest(
                head: HTTPRequest(
                    method: .get, scheme: "http", authority: authority, path: path, headerFields: fields)))
        let content = try await answer.body.collect(upTo: .kibibytes(1))
        await cache.waitForBackgroundWork()
        return (answer, content)
    }

    @Test(
        "what either has stored, the other serves as what it is, and ranges are of the same content",
        arguments: [true, false])
    func shared(urlSessionFirst: Bool) async throws {
        let origin = try await StepOrigin.start { request in
            let hasRange = request.fields.contains(.range)
            let isCoded = request.fields[.acceptEncoding]?.contains("gzip") == true
            let common: HTTPFields = [.cacheControl: "max-age=600", .vary: "Accept-Encoding", .eTag: "\"1\""]
            var fields = common
            if hasRange {
                fields[.contentRange] = "bytes 1-2/5"
                return [.head(206, fields, .length(2)), .bytes(Array("el".utf8))]
            }
            guard isCoded else { return [.head(200, fields, .length(5)), .bytes(Array("hello".utf8))] }
            fields[.contentEncoding] = "gzip"
            return [.head(200, fields, .length(Int64(Self.gzipped.count))), .bytes(Self.gzipped)]
        }
        let authority = "127.0.0.1:\(origin.port)"
        let store = MemoryResponseStore()
        let octets = ResponseCache(
            store: store,
            transport: NIOOriginTransport(
                dialer: OriginDialer(
                    group: MultiThreadedEventLoopGroup.singleton, hostMap: try HostMap([]), trust: try Self.trust.get())
            ))
        let decoded = ResponseCache(store: store, transport: URLSessionOriginTransport())
        let fields: HTTPFields = [.acceptEncoding: "gzip, br, zstd"]
        let (first, second) = urlSessionFirst ? (decoded, octets) : (octets, decoded)
        for cache in [first, second] {
            let (answer, content) = try await Self.get(cache, authority, fields)
            #expect(content == (urlSessionFirst ? Array("hello".utf8) : Self.gzipped))
            #expect(answer.head.headerFields[.contentEncoding] == (urlSessionFirst ? nil : "gzip"))
            #expect(answer.head.headerFields[.eTag] == (urlSessionFirst ? "W/\"1\"" : "\"1\""))
        }
        #expect(origin.received.count == 1)
        // Another file, of which a part is wanted first.
        var ranged = fields
        ranged[.range] = "bytes=1-2"
        let (answer, content) = try await Self.get(decoded, authority, ranged, "/b")
        #expect(answer.head.status == .partialContent && content == Array("el".utf8))
        #expect(answer.head.headerFields[.eTag] == "\"1\"")
        #expect(origin.received.last?.fields[.acceptEncoding] == "identity")
    }
}
