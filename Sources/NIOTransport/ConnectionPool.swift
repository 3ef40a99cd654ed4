#if Proxy
import CacheEngine
import Locking
import NIOCore
import OriginDialing

/// Open connections to origins, kept alive between requests, and the requests that wait for one.
///
/// A request that finds no idle connection starts a new one, but takes whichever is there first: the new one, or one
/// that another request gives back meanwhile. At 60 ms round trip a new connection with TLS takes 180 ms, and the
/// requests of a page come in bursts, so most of a burst is better served by what the one before has opened.
///
/// A new connection never waits for room: where there are too many, the one that is idle for longest, to whichever
/// origin, gives way. Those in use are as many as the exchanges under way, which the proxy's clients bound.
final class ConnectionPool: Sendable {
    typealias Endpoint = OriginDialer.Endpoint
    typealias Dial = @Sendable (Endpoint) async throws -> OriginConnection

    struct Limits: Sendable {
        /// Connections in all, idle and in use, above which idle ones are closed.
        var connections: Int
        /// Idle ones kept per origin.
        var idlePerOrigin: Int
        /// How long one is kept idle.
        var idleTime: TimeAmount
    }

    private let state = LockedBox(PoolState())
    private let limits: Limits
    private let loop: any EventLoop
    private let dial: Dial

    /// - Parameters:
    ///   - loop: Keeps the time.
    ///   - dial: Opens a connection.
    init(limits: Limits, loop: any EventLoop, dial: @escaping Dial) {
        self.limits = limits
        self.loop = loop
        self.dial = dial
    }

    /// Whether nothing is kept: no connection, and no request that waits or came to wait.
    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// A connection for one exchange: idle, just given back, or new.
    ///
    /// - Parameter yields: Whether those that do not yield go first.
    func take(_ endpoint: Endpoint, yields: Bool = false) async throws -> OriginConnection {
        let id = state.withLock { $0.begin() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                switch state.withLock({ $0.take(endpoint, id, continuation, yields: yields) }) {
                case .use(let connection): continuation.resume(returning: connection)
                case .cancelled: continuation.resume(throwing: CancellationError())
                case .wait(let dials): if dials { startDial(endpoint) }
                }
            }
        } onCancel: {
            state.withLock { $0.cancel(id, endpoint) }?.resume(throwing: CancellationError())
        }
    }

    /// A new connection, for what must not go out on one that was used.
    func open(_ endpoint: Endpoint) async throws -> OriginConnection {
        state.withLock { $0.makeRoom(limits.connections) }?.close()
        let connection: OriginConnection
        do {
            connection = try await dial(endpoint)
        } catch {
            state.withLock { $0.open -= 1 }
            throw error
        }
        connection.onClose { [weak self] in self?.state.withLock { $0.closed(connection, endpoint) } }
        return connection
    }

    /// Begins a connection that a request will need soon, unless one is there or on its way.
    func prepare(_ endpoint: Endpoint) {
        if state.withLock({ $0.prepare(endpoint) }) { startDial(endpoint) }
    }

    /// Gives a connection to the request that has waited longest, or keeps it.
    func give(_ connection: OriginConnection, _ endpoint: Endpoint) {
        offer(connection, endpoint, isNew: false)
    }

    private func startDial(_ endpoint: Endpoint) {
        Task {
            do {
                offer(try await open(endpoint), endpoint, isNew: true)
            } catch {
                state.withLock { $0.dialFailed(endpoint) }?.resume(throwing: error)
            }
        }
    }

    private func offer(_ connection: OriginConnection, _ endpoint: Endpoint, isNew: Bool) {
        let (waiter, surplus, sweeps) = state.withLock { state in
            let (waiter, surplus) = state.offer(connection, endpoint, isNew: isNew, limits: limits)
            return (waiter, surplus, waiter == nil && state.beginSweep())
        }
        waiter?.resume(returning: connection)
        for connection in surplus { connection.close() }
        if sweeps { sweep(in: limits.idleTime) }
    }

    /// Closes what has been idle for too long, and comes back while anything is.
    private func sweep(in time: TimeAmount) {
        loop.scheduleTask(in: time) { [weak self] in
            guard let self else { return }
            let now = NIODeadline.now()
            let (late, next) = state.withLock { $0.sweep(idleSince: now - limits.idleTime) }
            for connection in late { connection.close() }
            if let next { sweep(in: next + limits.idleTime - now) }
        }
    }

    /// Closes every idle connection.
    func closeIdle() {
        for connection in state.withLock({ $0.takeIdle() }) { connection.close() }
    }

    /// Closes every idle connection, and returns when their descriptors are free, or after a second: who says farewell
    /// over TLS may be kept waiting by the other side.
    func freeIdle() async {
        let closing = state.withLock { $0.takeIdle() }
        guard !closing.isEmpty else { return }
        let over = loop.makePromise(of: Void.self)
        let alarm = loop.scheduleTask(in: .seconds(1)) { over.succeed() }
        EventLoopFuture.andAllComplete(closing.map { $0.closed() }, on: loop).whenComplete { _ in over.succeed() }
        try? await over.futureResult.get()
        alarm.cancel()
    }
}
#endif
