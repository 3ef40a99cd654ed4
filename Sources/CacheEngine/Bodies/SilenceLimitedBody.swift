import HTTPTypes
import Locking

/// Content from the network that breaks off when nothing comes for a while, although somebody asks for more.
///
/// One task watches all of it, so the length of the silence is met within twice the limit.
final class SilenceLimitedBody: TrailerSource {
    private struct State {
        /// When the piece was asked for that is not there yet.
        var askedAt: Duration?
        var isSilent = false
        var watch: Task<Void, Never>?
    }

    private let source: any BodySource
    private let limit: Duration
    private let clock: EngineClock
    private let state = LockedBox(State())

    init(_ source: any BodySource, limit: Duration, clock: EngineClock) {
        (self.source, self.limit, self.clock) = (source, limit, clock)
    }

    deinit { state.withLock { $0.watch }?.cancel() }

    var trailers: HTTPFields? { (source as? any TrailerSource)?.trailers }

    func next() async throws -> [UInt8]? {
        let now = clock.uptime()
        let isFirst = state.withLock { state -> Bool in
            state.askedAt = now
            return state.watch == nil
        }
        if isFirst { watch() }
        do {
            let bytes = try await source.next()
            state.withLock { $0.askedAt = nil }
            if bytes == nil { end() }
            return bytes
        } catch {
            end()
            guard state.withLock({ $0.isSilent }) else { throw error }
            throw TransportError(
                code: .closedEarly,
                message: "Nothing more of the response came for \(ReadableDuration.text(limit)).", cause: error)
        }
    }

    func cancel() {
        end()
        source.cancel()
    }

    private func watch() {
        let task = Task { [state, source, limit, clock] in
            while !Task.isCancelled {
                guard (try? await clock.sleep(limit)) != nil else { return }
                let now = clock.uptime()
                let isSilent = state.withLock { state -> Bool in
                    state.isSilent = state.askedAt.map { now - $0 >= limit } ?? false
                    return state.isSilent
                }
                if isSilent { return source.cancel() }
            }
        }
        state.withLock { $0.watch = task }
    }

    private func end() {
        state.withLock { $0.watch }?.cancel()
    }
}
