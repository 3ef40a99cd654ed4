import HTTPTypes
import Locking

/// A body of a stated length: an earlier end is an error (RFC 9112 §8), and bytes beyond it are cut off.
///
/// The stated length "defines the expected message body length in octets" (RFC 9112 §6.3), so content of that length is
/// whole and may be stored as such (RFC 9111 §3.3). Bytes that follow belong to no response: they must not be
/// processed, cached or forwarded as one (RFC 9112 §6.3), so the source is cancelled.
final class FramedBody: TrailerSource {
    private let source: any BodySource
    private let rest: LockedBox<Int64>
    /// Whether more than the stated length has come, and the source is cancelled.
    private let isOverrun = LockedBox(false)

    init(_ source: any BodySource, length: Int64) {
        self.source = source
        // A transport may pass on a negative length that it was told.
        rest = LockedBox(max(0, length))
    }

    func next() async throws -> [UInt8]? {
        let missing = rest.withLock { $0 }
        if isOverrun.withLock({ $0 }) { return nil }
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
        isOverrun.withLock { $0 = true }
        source.cancel()
        // The source is cancelled, so that its connection, on which more bytes follow, is not used again. The next call
        // returns the end.
        return count == 0 ? nil : Array(bytes.prefix(Int(count)))
    }

    /// - Returns: `nil` if the sum overflows.
    static func sum(_ one: Int64, _ other: Int64) -> Int64? {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? nil : sum
    }

    var trailers: HTTPFields? { (source as? any TrailerSource)?.trailers }

    func cancel() { source.cancel() }
}
