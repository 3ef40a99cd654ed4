import CacheEngine
import Locking
import OriginDialing

/// Open connections to origins, kept alive between requests, and the requests that wait for one.
///
/// A request that finds no idle connection starts a new one, but takes whichever is there first: the new one, or one
/// that another request gives back meanwhile. At 60 ms round trip a new connection with TLS takes 180 ms, and the
/// requests of a page come in bursts, so most of a burst is better served by what the one before has opened.
final class ConnectionPool: Sendable {
    typealias Endpoint = OriginDialer.Endpoint
    typealias Dial = @Sendable (Endpoint) async throws -> OriginConnection

    private struct Lane {
        var idle: [OriginConnection] = []
        var waiting: [(id: Int, continuation: CheckedContinuation<OriginConnection, any Error>)] = []
        /// Connections on their way: at least one for each waiting request.
        var dialing = 0
    }

    private struct State {
        var lanes: [Endpoint: Lane] = [:]
        var lastID = 0
        var cancelled: Set<Int> = []
    }

    private let state = LockedBox(State())
    private let idleLimit: Int
    private let dial: Dial

    /// - Parameters:
    ///   - idleLimit: Idle connections kept per origin.
    ///   - dial: Opens a connection.
    init(idleLimit: Int, dial: @escaping Dial) {
        self.idleLimit = idleLimit
        self.dial = dial
    }

    /// A connection for one exchange: idle, just given back, or new.
    func take(_ endpoint: Endpoint) async throws -> OriginConnection {
        let id = state.withLock { state -> Int in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enum Step {
                    case use(OriginConnection)
                    case cancelled
                    case wait(dials: Bool)
                }
                let step = state.withLock { state -> Step in
                    if state.cancelled.remove(id) != nil { return .cancelled }
                    var lane = state.lanes[endpoint] ?? Lane()
                    defer { state.lanes[endpoint] = lane }
                    while let connection = lane.idle.popLast() {
                        if connection.isOpen { return .use(connection) }
                    }
                    lane.waiting.append((id, continuation))
                    let dials = lane.dialing < lane.waiting.count
                    if dials { lane.dialing += 1 }
                    return .wait(dials: dials)
                }
                switch step {
                case .use(let connection): continuation.resume(returning: connection)
                case .cancelled: continuation.resume(throwing: CancellationError())
                case .wait(let dials): if dials { startDial(endpoint) }
                }
            }
        } onCancel: {
            cancel(id, endpoint)
        }
    }

    /// Begins a connection that a request will need soon, unless one is there or on its way.
    func prepare(_ endpoint: Endpoint) {
        let dials = state.withLock { state -> Bool in
            var lane = state.lanes[endpoint] ?? Lane()
            guard lane.dialing == 0, !lane.idle.contains(where: \.isOpen) else { return false }
            lane.dialing += 1
            state.lanes[endpoint] = lane
            return true
        }
        if dials { startDial(endpoint) }
    }

    /// Gives a connection to the request that has waited longest, or keeps it.
    func give(_ connection: OriginConnection, _ endpoint: Endpoint) {
        offer(connection, endpoint, isNew: false)
    }

    private func startDial(_ endpoint: Endpoint) {
        Task {
            do {
                offer(try await dial(endpoint), endpoint, isNew: true)
            } catch {
                failed(endpoint, error)
            }
        }
    }

    private func offer(_ connection: OriginConnection, _ endpoint: Endpoint, isNew: Bool) {
        let (waiter, surplus) = state.withLock {
            state -> (CheckedContinuation<OriginConnection, any Error>?, OriginConnection?) in
            var lane = state.lanes[endpoint] ?? Lane()
            defer { state.lanes[endpoint] = lane }
            if isNew { lane.dialing -= 1 }
            if !lane.waiting.isEmpty { return (lane.waiting.removeFirst().continuation, nil) }
            lane.idle.removeAll { !$0.isOpen }
            lane.idle.append(connection)
            return (nil, lane.idle.count > idleLimit ? lane.idle.removeFirst() : nil)
        }
        waiter?.resume(returning: connection)
        surplus?.close()
    }

    /// A dial failed: a request for which none is left on its way fails with it.
    private func failed(_ endpoint: Endpoint, _ error: any Error) {
        let waiter = state.withLock { state -> CheckedContinuation<OriginConnection, any Error>? in
            guard var lane = state.lanes[endpoint] else { return nil }
            defer { state.lanes[endpoint] = lane }
            lane.dialing -= 1
            return lane.waiting.count > lane.dialing ? lane.waiting.removeFirst().continuation : nil
        }
        waiter?.resume(throwing: error)
    }

    private func cancel(_ id: Int, _ endpoint: Endpoint) {
        let waiter = state.withLock { state -> CheckedContinuation<OriginConnection, any Error>? in
            guard let index = state.lanes[endpoint]?.waiting.firstIndex(where: { $0.id == id }) else {
                // Not waiting yet, or not any more; the former is told when it comes to wait.
                state.cancelled.insert(id)
                return nil
            }
            return state.lanes[endpoint]?.waiting.remove(at: index).continuation
        }
        waiter?.resume(throwing: CancellationError())
    }

    /// Closes every idle connection.
    func closeIdle() {
        let all = state.withLock { state -> [OriginConnection] in
            let all = state.lanes.values.flatMap(\.idle)
            for endpoint in state.lanes.keys { state.lanes[endpoint]?.idle = [] }
            return all
        }
        for connection in all { connection.close() }
    }
}
