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
/// One of HTTP/2 is shared by all requests to its origin, up to the number that the origin allows; the others wait for
/// room there. Where an origin is known to speak it, a burst opens one connection; where not yet, what turns out to be
/// more than one is closed. Connections are not shared by several hosts.
///
/// A new connection never waits for room: where there are too many, the one that is idle for longest, to whichever
/// origin, gives way. Those in use are as many as the exchanges under way, which the proxy's clients bound.
final class ConnectionPool: Sendable {
    typealias Endpoint = OriginDialer.Endpoint
    typealias Dial = @Sendable (_ endpoint: Endpoint, _ offersHTTP2: Bool) async throws -> OriginConnection

    typealias Limits = NIOOriginTransport.Limits

    private let state: LockedBox<PoolState>
    private let limits: Limits
    private let loop: any EventLoop
    private let dial: Dial

    init(limits: Limits, loop: any EventLoop, dial: @escaping Dial) {
        state = LockedBox(PoolState(limits))
        self.limits = limits
        self.loop = loop
        self.dial = dial
    }

    /// Whether nothing is kept: no connection, and no request that waits or came to wait.
    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// A connection for one exchange: shared, idle, just given back, or new.
    ///
    /// - Parameters:
    ///   - yields: Whether those that do not yield go first.
    ///   - isNew: Whether one of HTTP/1.1 must be new: a used one may be closing.
    func take(_ endpoint: Endpoint, yields: Bool = false, isNew: Bool = false) async throws -> OriginConnection {
        let id = state.withLock { $0.begin() }
        let connection = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let request = PoolState.Waiting(id: id, continuation: continuation, yields: yields, isNew: isNew)
                switch state.withLock({ $0.take(endpoint, request) }) {
                case .use(let connection): continuation.resume(returning: connection)
                case .open: continuation.resume(returning: nil)
                case .cancelled: continuation.resume(throwing: CancellationError())
                case .wait(let dials):
                    startDials(dials, endpoint)
                    if dials == 0 { hurry(id, endpoint) }
                }
            }
        } onCancel: {
            state.withLock { $0.cancel(id, endpoint) }?.resume(throwing: CancellationError())
        }
        if let connection { return connection }
        let opened = try await open(endpoint)
        carryOut(state.withLock { $0.use(opened, endpoint) }, endpoint)
        return opened
    }

    private func hurry(_ id: Int, _ endpoint: Endpoint) {
        loop.scheduleTask(in: limits.longestWait) { [weak self] in
            guard let self, let steps = state.withLock({ $0.hurry(id, endpoint) }) else { return }
            carryOut(steps, endpoint)
            if steps.dials == 0 { hurry(id, endpoint) }
        }
    }

    private func open(_ endpoint: Endpoint) async throws -> OriginConnection {
        let (leaving, offersHTTP2) = state.withLock { ($0.makeRoom(), $0.offersHTTP2(endpoint)) }
        leaving?.close()
        let connection: OriginConnection
        do {
            connection = try await dial(endpoint, offersHTTP2)
        } catch {
            state.withLock { $0.open -= 1 }
            throw error
        }
        connection.onClose { [weak self] in
            guard let self else { return }
            carryOut(state.withLock { $0.closed(connection, endpoint) }, endpoint)
        }
        connection.onChange { [weak self] in
            guard let self else { return }
            carryOut(state.withLock { $0.changed(endpoint) }, endpoint)
        }
        return connection
    }

    /// Begins a connection that a request will need soon, unless one is there or on its way.
    ///
    /// - Parameter isOneMore: Whether also beside others, as many as are kept.
    func prepare(_ endpoint: Endpoint, isOneMore: Bool = false) {
        let limit = isOneMore ? limits.idleConnectionsPerOrigin : 1
        if state.withLock({ $0.prepare(endpoint, upTo: limit) }) { startDials(1, endpoint) }
    }

    /// Gives a connection to the request that has waited longest, or keeps it; of a shared one, an exchange's place.
    func give(_ connection: OriginConnection, _ endpoint: Endpoint) {
        carryOut(state.withLock { $0.give(connection, endpoint) }, endpoint)
    }

    /// Speaks HTTP/1.1 with an endpoint from now on, which has asked for it.
    func requireHTTP11(_ endpoint: Endpoint) {
        for connection in state.withLock({ $0.requireHTTP11(endpoint) }) { connection.drain() }
    }

    private func startDials(_ count: Int, _ endpoint: Endpoint) {
        for _ in 0..<count {
            Task {
                do {
                    let connection = try await open(endpoint)
                    carryOut(state.withLock { $0.dialed(connection, endpoint) }, endpoint)
                } catch {
                    for waiter in state.withLock({ $0.dialFailed(endpoint) }) { waiter.resume(throwing: error) }
                }
            }
        }
    }

    private func carryOut(_ steps: PoolState.Steps, _ endpoint: Endpoint) {
        for (waiter, connection) in steps.served { waiter.resume(returning: connection) }
        for connection in steps.surplus { connection.close() }
        startDials(steps.dials, endpoint)
        if steps.sweeps { sweep(in: limits.idleTime) }
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
