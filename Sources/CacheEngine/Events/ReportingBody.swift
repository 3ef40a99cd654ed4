import HTTPTypes
import Locking

/// A body that counts the bytes that pass, and reports once when it ends, fails or is cancelled.
final class ReportingBody: TrailerSource {
    private struct State {
        var bytes: Int64 = 0
        var report: (@Sendable (Int64, Bool) -> Void)?
    }

    private let source: any BodySource
    private let length: Int64?
    private let state: LockedBox<State>

    /// - Parameters:
    ///   - length: The length of the whole, if known: a reader that has got it all need not wait for the end.
    ///   - report: Called once with the number of bytes that passed, and whether that is all.
    init(_ source: any BodySource, length: Int64?, report: @escaping @Sendable (Int64, Bool) -> Void) {
        self.source = source
        self.length = length
        state = LockedBox(State(report: report))
    }

    deinit { finish(complete: false) }

    var trailers: HTTPFields? { (source as? any TrailerSource)?.trailers }

    func next() async throws -> [UInt8]? {
        do {
            guard let bytes = try await source.next() else {
                finish(complete: true)
                return nil
            }
            state.withLock { $0.bytes += Int64(bytes.count) }
            return bytes
        } catch {
            finish(complete: false)
            throw error
        }
    }

    func cancel() {
        // First, so that a concurrent reader can't report a complete body.
        finish(complete: false)
        source.cancel()
    }

    private func finish(complete: Bool) {
        let (report, bytes) = state.withLock { state -> ((@Sendable (Int64, Bool) -> Void)?, Int64) in
            defer { state.report = nil }
            return (state.report, state.bytes)
        }
        report?(bytes, complete || bytes == length)
    }
}
