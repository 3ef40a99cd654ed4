#if Proxy
import NIOCore
import OriginDialing

/// The state of a ``ConnectionPool``. No I/O: connections to close and requests to resume are returned.
struct PoolState: Sendable {
    typealias Endpoint = OriginDialer.Endpoint
    typealias Waiter = CheckedContinuation<OriginConnection, any Error>

    enum Step {
        case use(OriginConnection)
        case cancelled
        case wait(dials: Bool)
    }

    private struct Idle {
        var connection: OriginConnection
        var since: NIODeadline
    }

    private struct Lane {
        /// The one that is idle for longest first.
        var idle: [Idle] = []
        /// Those that yield come after the others.
        var waiting: [(id: Int, continuation: Waiter, yields: Bool)] = []
        /// Connections on their way: at least one for each waiting request.
        var dialing = 0

        var isEmpty: Bool { idle.isEmpty && waiting.isEmpty && dialing == 0 }
    }

    private var lanes: [Endpoint: Lane] = [:]
    private var lastID = 0
    /// Requests that have not come to wait yet. One that is cancelled before is no more among them.
    private var beginning: Set<Int> = []
    private var isSweeping = false
    /// Connections that are open or being opened.
    var open = 0

    var isEmpty: Bool { lanes.isEmpty && beginning.isEmpty && open == 0 }

    /// Lanes stay only as long as there is something in them: a page can name any number of hosts.
    private mutating func change<Result>(_ endpoint: Endpoint, _ body: (inout Lane) -> Result) -> Result {
        var lane = lanes.removeValue(forKey: endpoint) ?? Lane()
        let result = body(&lane)
        if !lane.isEmpty { lanes[endpoint] = lane }
        return result
    }

    mutating func begin() -> Int {
        lastID += 1
        beginning.insert(lastID)
        return lastID
    }

    mutating func take(_ endpoint: Endpoint, _ id: Int, _ continuation: Waiter, yields: Bool) -> Step {
        guard beginning.remove(id) != nil else { return .cancelled }
        return change(endpoint) { lane in
            while let idle = lane.idle.popLast() {
                if idle.connection.isOpen { return .use(idle.connection) }
            }
            let place = yields ? nil : lane.waiting.firstIndex { $0.yields }
            lane.waiting.insert((id, continuation, yields), at: place ?? lane.waiting.count)
            let dials = lane.dialing < lane.waiting.count
            if dials { lane.dialing += 1 }
            return .wait(dials: dials)
        }
    }

    /// - Returns: The waiter to tell that it is cancelled.
    mutating func cancel(_ id: Int, _ endpoint: Endpoint) -> Waiter? {
        guard beginning.remove(id) == nil else { return nil }
        return change(endpoint) { lane in
            lane.waiting.firstIndex { $0.id == id }.map { lane.waiting.remove(at: $0).continuation }
        }
    }

    /// Whether a connection is to be opened.
    mutating func prepare(_ endpoint: Endpoint) -> Bool {
        change(endpoint) { lane in
            guard lane.dialing == 0, !lane.idle.contains(where: \.connection.isOpen) else { return false }
            lane.dialing += 1
            return true
        }
    }

    /// Counts a connection that is about to be opened.
    ///
    /// - Returns: Which one gives way to it.
    mutating func makeRoom(_ limit: Int) -> OriginConnection? {
        open += 1
        return open > limit ? takeLongestIdle() : nil
    }

    private mutating func takeLongestIdle() -> OriginConnection? {
        let lane = lanes.filter { !$0.value.idle.isEmpty }.min { $0.value.idle[0].since < $1.value.idle[0].since }
        return lane.map { lane in change(lane.key) { $0.idle.removeFirst().connection } }
    }

    /// - Returns: The waiter that gets the connection; else those to close because it is kept.
    mutating func offer(
        _ connection: OriginConnection, _ endpoint: Endpoint, isNew: Bool, limits: ConnectionPool.Limits
    ) -> (Waiter?, surplus: [OriginConnection]) {
        var (waiter, surplus) = change(endpoint) { lane -> (Waiter?, [OriginConnection]) in
            if isNew { lane.dialing -= 1 }
            if !lane.waiting.isEmpty { return (lane.waiting.removeFirst().continuation, []) }
            lane.idle.removeAll { !$0.connection.isOpen }
            // One that has closed meanwhile was told of already, and would stay.
            if connection.isOpen { lane.idle.append(Idle(connection: connection, since: .now())) }
            return (nil, lane.idle.count > limits.idlePerOrigin ? [lane.idle.removeFirst().connection] : [])
        }
        // Those in use may have been too many; now they are not.
        if waiter == nil, open - surplus.count > limits.connections, let longest = takeLongestIdle() {
            surplus.append(longest)
        }
        return (waiter, surplus)
    }

    /// A dial failed: a request for which none is left on its way fails with it.
    mutating func dialFailed(_ endpoint: Endpoint) -> Waiter? {
        change(endpoint) { lane in
            lane.dialing -= 1
            return lane.waiting.count > lane.dialing ? lane.waiting.removeFirst().continuation : nil
        }
    }

    mutating func closed(_ connection: OriginConnection, _ endpoint: Endpoint) {
        open -= 1
        change(endpoint) { lane in lane.idle.removeAll { $0.connection === connection } }
    }

    /// Whether somebody has to come back for what is idle.
    mutating func beginSweep() -> Bool {
        defer { isSweeping = true }
        return !isSweeping
    }

    /// - Returns: The connections idle since then at least, and when the next one became so.
    mutating func sweep(idleSince limit: NIODeadline) -> (late: [OriginConnection], next: NIODeadline?) {
        var late: [OriginConnection] = []
        for endpoint in lanes.keys {
            change(endpoint) { lane in
                late += lane.idle.prefix { $0.since <= limit }.map(\.connection)
                lane.idle.removeAll { $0.since <= limit }
            }
        }
        let next = lanes.values.compactMap { $0.idle.first?.since }.min()
        isSweeping = next != nil
        return (late, next)
    }

    mutating func takeIdle() -> [OriginConnection] {
        let all = lanes.values.flatMap { $0.idle.map(\.connection) }
        for endpoint in lanes.keys { change(endpoint) { $0.idle = [] } }
        return all
    }
}
#endif
