import HTTPTypes
import Locking

/// A body of a stated length: what comes beyond it is cut off, and an earlier end is an error (RFC 9112 §8).
final class FramedBody: TrailerSource {
    private let source: any BodySource
    private let rest: LockedBox<Int64>

    init(_ source: any BodySource, length: Int64) {
        self.source = source
        rest = LockedBox(length)
    }

    func next() async throws -> [UInt8]? {
        let missing = rest.withLock { $0 }
        guard let bytes = try await source.next() else {
            guard missing == 0 else {
                throw TransportError(
                    code: .closedEarly, message: "The response ended before the length that the origin stated.")
            }
            return nil
        }
        let count = min(missing, Int64(bytes.count))
        rest.withLock { $0 -= count }
        guard count < bytes.count else { return bytes }
        source.cancel()
        // Cancelled, so that the connection with what follows is not used again; the end is ours to tell.
        return count == 0 ? nil : Array(bytes.prefix(Int(count)))
    }

    var trailers: HTTPFields? { (source as? any TrailerSource)?.trailers }

    func cancel() { source.cancel() }
}
