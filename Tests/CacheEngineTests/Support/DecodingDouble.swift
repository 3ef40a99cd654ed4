import CacheEngine
import CacheTesting
import HTTPTypes

/// A transport that takes one coding off, as URLSession does: the head still speaks of the content with it.
///
/// The coding of these tests puts "coded:" in front.
struct DecodingDouble: OriginTransport {
    let network: ScriptedTransport
    var decodedCodings: Set<String> { ["gzip", "br"] }

    static func coded(_ text: String) -> [UInt8] { Array("coded:\(text)".utf8) }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var response = try await network.send(request)
        guard let coding = response.head.headerFields[.contentEncoding], decodedCodings.contains(coding),
            request.head.method != .head, response.head.status != .notModified
        else { return response }
        response.body = Decoded(source: response.body)
        response.bodyLength = nil
        return response
    }

    /// Takes the mark off the first piece.
    private final class Decoded: BodySource {
        private let source: any BodySource
        private let isFirst = WatchedValue(true)

        init(source: any BodySource) { self.source = source }

        func next() async throws -> [UInt8]? {
            let piece = try await source.next()
            let isFirst = isFirst.update { value in
                defer { value = false }
                return value
            }
            return isFirst ? piece.map { Array($0.dropFirst("coded:".utf8.count)) } : piece
        }

        func cancel() { source.cancel() }
    }
}
