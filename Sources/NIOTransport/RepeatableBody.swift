#if Proxy
import CacheEngine
import HTTPTypes
import Locking

/// A request's content that can be sent again from its beginning as long as little of it has been.
///
/// An origin that ends a connection says which requests it has not processed, and those go again whatever their method
/// (RFC 9113 §8.7). Until it is settled that no more attempts follow, cancelling waits.
final class RepeatableBody: BodySource {
    /// How much is kept, in octets.
    static let limit = 65_536

    private struct State {
        var kept: [[UInt8]] = []
        var keptBytes = 0
        /// Which of those kept is next.
        var position = 0
        var isRepeatable = true
        var isPulling = false
        var isCancelled = false

        mutating func keep(_ piece: [UInt8]?) {
            isPulling = false
            guard let piece, isRepeatable else { return }
            keptBytes += piece.count
            if keptBytes <= RepeatableBody.limit {
                kept.append(piece)
                position += 1
            } else {
                (kept, position, isRepeatable) = ([], 0, false)
            }
        }
    }

    private let source: any BodySource
    private let state = LockedBox(State())

    init(_ source: any BodySource) { self.source = source }

    var trailers: HTTPFields? { source.trailers }

    func next() async throws -> [UInt8]? {
        // An attempt that was given up takes nothing from the one after it.
        try Task.checkCancellation()
        let kept = state.withLock { state -> [UInt8]? in
            guard state.position < state.kept.count else {
                state.isPulling = true
                return nil
            }
            defer { state.position += 1 }
            return state.kept[state.position]
        }
        if let kept { return kept }
        do {
            let piece = try await source.next()
            state.withLock { $0.keep(piece) }
            return piece
        } catch {
            state.withLock { ($0.isPulling, $0.isRepeatable) = (false, false) }
            throw error
        }
    }

    func cancel() {
        let isFinal = state.withLock { state in
            state.isCancelled = true
            return !state.isRepeatable || state.isPulling
        }
        if isFinal { source.cancel() }
    }

    /// Begins again, for another attempt.
    ///
    /// - Returns: False where that can't be.
    func rewind() -> Bool {
        state.withLock { state in
            guard state.isRepeatable, !state.isPulling else { return false }
            (state.position, state.isCancelled) = (0, false)
            return true
        }
    }

    /// Says that no more attempts follow.
    func settle() {
        let isCancelled = state.withLock { state in
            state.isRepeatable = false
            return state.isCancelled
        }
        if isCancelled { source.cancel() }
    }
}
#endif
