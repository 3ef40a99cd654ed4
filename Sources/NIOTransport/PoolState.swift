#if Proxy
import NIOCore
import OriginDialing

/// The state of a ``ConnectionPool``. No I/O: connections to close and requests to resume are returned.
struct PoolState: Sendable {
    typealias Endpoint = OriginDialer.Endpoint
    /// Resumed with `nil` where the request opens a connection for itself.
    typealias Waiter = CheckedContinuation<OriginConnection?, any Error>

    enum Step {
        case use(OriginConnection)
        /// The request opens a connection for itself.
        case open
        case cancelled
        case wait(dials: Int)
    }

    struct Waiting: Sendable {
        var id: Int
        var continuation: Waiter
        var yields: Bool
        var isNew: Bool
    }

    /// The steps that follow from a change.
    struct Steps: Sendable {
        var served: [(Waiter, OriginConnection)] = []
        /// To be closed.
        var surplus: [OriginConnection] = []
        /// How many connections are to be opened for those who wait.
        var dials = 0
        /// Whether somebody has to come back for what is idle.
        var sweeps = false
    }

    private struct Idle {
        var connection: OriginConnection
        var since: NIODeadline
    }

    /// A connection of HTTP/2 in use.
    private struct Shared {
        var connection: OriginConnection
        var exchanges: Int

        var room: Int { max(0, (connection.streamLimit ?? 0) - exchanges) }
    }

    private struct Lane {
        /// The one that is idle for longest first.
        var idle: [Idle] = []
        var shared: [Shared] = []
        /// Those that yield come after the others.
        var waiting: [Waiting] = []
        /// Connections on their way: at least one for each waiting request, or one for all where it will be shared.
        var dialing = 0
        /// Connections of HTTP/1.1 that are open, in use or idle.
        var exclusive = 0

        var isEmpty: Bool { idle.isEmpty && shared.isEmpty && waiting.isEmpty && dialing == 0 && exclusive == 0 }

        /// Whether there is a connection that takes or will take more exchanges.
        var hasShared: Bool { shared.contains { $0.connection.isOpen } }

        /// A connection that is there for an exchange, which then uses it.
        mutating func use(isNew: Bool) -> OriginConnection? {
            let place = shared.firstIndex { $0.connection.isOpen && $0.room > 0 }
            if let place {
                shared[place].exchanges += 1
                return shared[place].connection
            }
            while let place = idle.lastIndex(where: { !isNew || $0.connection.streamLimit != nil }) {
                let connection = idle.remove(at: place).connection
                guard connection.isOpen else { continue }
                if connection.streamLimit != nil { shared.append(Shared(connection: connection, exchanges: 1)) }
                return connection
            }
            return nil
        }

        /// Gives a connection of HTTP/1.1 to the request that has waited longest, or keeps it.
        mutating func offer(_ connection: OriginConnection, isNew: Bool, _ steps: inout Steps) {
            if let place = waiting.firstIndex(where: { isNew || !$0.isNew }) {
                steps.served.append((waiting.remove(at: place).continuation, connection))
            } else {
                steps.sweeps = true
                // One that has closed meanwhile was told of already, and would stay.
                guard connection.isOpen else { return }
                connection.wasIdle.value = true
                idle.append(Idle(connection: connection, since: .now()))
            }
        }

        /// Gives a shared connection to requests that wait.
        mutating func serve(_ count: Int, _ place: Int, _ steps: inout Steps) {
            let served = waiting.prefix(count)
            steps.served += served.map { ($0.continuation, shared[place].connection) }
            shared[place].exchanges += served.count
            waiting.removeFirst(served.count)
        }

        /// Keeps one shared connection that nobody uses, and closes those that can't be used.
        mutating func rest(_ steps: inout Steps) {
            for unused in shared.filter({ $0.exchanges == 0 }).map(\.connection) {
                shared.removeAll { $0.connection === unused }
                steps.sweeps = true
                unused.wasIdle.value = true
                idle.append(Idle(connection: unused, since: .now()))
                if hasShared { steps.surplus.append(idle.removeLast().connection) }
            }
            steps.surplus += idle.filter { !$0.connection.isOpen }.map(\.connection)
            idle.removeAll { !$0.connection.isOpen }
        }
    }

    private let limits: NIOOriginTransport.Limits
    private var lanes: [Endpoint: Lane] = [:]
    /// Endpoints that chose HTTP/2 when they were last asked, and those that want HTTP/1.1.
    private var sharing: Set<Endpoint> = []
    private var exclusive: Set<Endpoint> = []
    private var lastID = 0
    /// Requests that have not come to wait yet. One that is cancelled before is no more among them.
    private var beginning: Set<Int> = []
    private var isSweeping = false
    /// Connections that are open or being opened.
    var open = 0
    /// Those of them that were told to close, so that no other one is in their place.
    private var leaving: Set<ObjectIdentifier> = []

    init(_ limits: NIOOriginTransport.Limits) { self.limits = limits }

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

    mutating func take(_ endpoint: Endpoint, _ request: Waiting) -> Step {
        guard beginning.remove(request.id) != nil else { return .cancelled }
        let isSharing = sharing.contains(endpoint)
        return change(endpoint) { lane in
            if let connection = lane.use(isNew: request.isNew) { return .use(connection) }
            if request.isNew, !isSharing, !lane.hasShared { return .open }
            let place = request.yields ? nil : lane.waiting.firstIndex { $0.yields }
            lane.waiting.insert(request, at: place ?? lane.waiting.count)
            return .wait(dials: Self.dials(for: &lane, isSharing))
        }
    }

    /// The most connections of HTTP/1.1 to one origin, but for requests that need one of their own.
    private static let connectionsPerOrigin = 32

    /// How many connections have to be opened for those who wait, which then are on their way.
    private static func dials(for lane: inout Lane, _ isSharing: Bool) -> Int {
        // A request that finds no room waits for it.
        guard !lane.waiting.isEmpty, !lane.hasShared else { return 0 }
        // RFC 9112 §9.4: "ought to limit the number of simultaneous open connections". Six are opened before one has
        // come: it may be shared.
        let room = lane.exclusive == 0 ? 6 : max(0, connectionsPerOrigin - lane.exclusive)
        let most = min(lane.waiting.count, max(room, lane.waiting.count(where: \.isNew)))
        let missing = max(0, (isSharing ? 1 : most) - lane.dialing)
        lane.dialing += missing
        return missing
    }

    /// Lets a request that has waited for long have a connection beyond the limit: those in use may be streams without
    /// an end.
    ///
    /// - Returns: `nil` if it waits no more.
    mutating func hurry(_ id: Int, _ endpoint: Endpoint) -> Steps? {
        change(endpoint) { lane in
            guard let place = lane.waiting.firstIndex(where: { $0.id == id }) else { return nil }
            var steps = Steps()
            guard lane.exclusive >= Self.connectionsPerOrigin else { return steps }
            lane.waiting[place].isNew = true
            steps.dials = Self.dials(for: &lane, false)
            return steps
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
    ///
    /// - Parameter limit: The most connections that are idle or on their way then, where they are not shared.
    mutating func prepare(_ endpoint: Endpoint, upTo limit: Int) -> Bool {
        let limit = sharing.contains(endpoint) ? 1 : limit
        return change(endpoint) { lane in
            guard !lane.hasShared, lane.dialing + lane.idle.count(where: \.connection.isOpen) < limit else {
                return false
            }
            lane.dialing += 1
            return true
        }
    }

    /// Counts a connection that is about to be opened.
    ///
    /// - Returns: Which one gives way to it.
    mutating func makeRoom() -> OriginConnection? {
        open += 1
        return hasTooMany ? takeLongestIdle() : nil
    }

    private var hasTooMany: Bool { open - leaving.count > limits.connections }

    /// Notes connections that are closed next, except those whose end may have been told of already.
    private mutating func leave(_ connections: [OriginConnection]) {
        leaving.formUnion(connections.filter(\.isOpen).map { ObjectIdentifier($0) })
    }

    private mutating func takeLongestIdle() -> OriginConnection? {
        let lane = lanes.filter { !$0.value.idle.isEmpty }.min { $0.value.idle[0].since < $1.value.idle[0].since }
        guard let longest = lane.map({ lane in change(lane.key) { $0.idle.removeFirst().connection } }) else {
            return nil
        }
        leave([longest])
        return longest
    }

    // MARK: Connections that come, change and go

    func offersHTTP2(_ endpoint: Endpoint) -> Bool { !exclusive.contains(endpoint) }

    /// - Returns: The connections that must carry nothing more.
    mutating func requireHTTP11(_ endpoint: Endpoint) -> [OriginConnection] {
        Self.note(endpoint, in: &exclusive)
        sharing.remove(endpoint)
        return change(endpoint) { lane in
            (lane.shared.map(\.connection) + lane.idle.map(\.connection)).filter { $0.streamLimit != nil }
        }
    }

    /// Forgets the others where there are too many: each costs its endpoint's next burst some connections.
    private static func note(_ endpoint: Endpoint, in set: inout Set<Endpoint>) {
        if set.count >= 1_000 { set = [] }
        set.insert(endpoint)
    }

    private mutating func note(_ connection: OriginConnection, _ endpoint: Endpoint) {
        guard endpoint.isSecure else { return }
        if connection.streamLimit == nil { sharing.remove(endpoint) } else { Self.note(endpoint, in: &sharing) }
    }

    /// A request has opened a connection for itself.
    mutating func use(_ connection: OriginConnection, _ endpoint: Endpoint) -> Steps {
        note(connection, endpoint)
        return settle(endpoint) { lane, _ in
            guard connection.streamLimit != nil else { return lane.exclusive += 1 }
            lane.shared.append(Shared(connection: connection, exchanges: 1))
        }
    }

    /// A connection has come for those who wait.
    mutating func dialed(_ connection: OriginConnection, _ endpoint: Endpoint) -> Steps {
        note(connection, endpoint)
        return settle(endpoint) { lane, steps in
            lane.dialing -= 1
            guard connection.streamLimit != nil else {
                lane.exclusive += 1
                return lane.offer(connection, isNew: true, &steps)
            }
            lane.shared.append(Shared(connection: connection, exchanges: 0))
            // One that has ended already serves all of them with its error: else they would go on opening new ones.
            if !connection.isOpen { lane.serve(lane.waiting.count, lane.shared.count - 1, &steps) }
        }
    }

    /// An exchange has ended, and its connection can carry another one; or a shared one has a place more.
    mutating func give(_ connection: OriginConnection, _ endpoint: Endpoint) -> Steps {
        settle(endpoint) { lane, steps in
            guard connection.streamLimit != nil else { return lane.offer(connection, isNew: false, &steps) }
            let place = lane.shared.firstIndex { $0.connection === connection }
            if let place { lane.shared[place].exchanges -= 1 }
        }
    }

    /// A shared connection takes more exchanges than before, or none any more.
    mutating func changed(_ endpoint: Endpoint) -> Steps { settle(endpoint) { _, _ in } }

    mutating func closed(_ connection: OriginConnection, _ endpoint: Endpoint) -> Steps {
        open -= 1
        leaving.remove(ObjectIdentifier(connection))
        return settle(endpoint) { lane, _ in
            if connection.streamLimit == nil { lane.exclusive -= 1 }
            lane.idle.removeAll { $0.connection === connection }
            lane.shared.removeAll { $0.connection === connection }
        }
    }

    /// - Parameter change: Made before it is seen what follows.
    private mutating func settle(_ endpoint: Endpoint, _ change: (inout Lane, inout Steps) -> Void) -> Steps {
        let (isSharing, mostIdle) = (sharing.contains(endpoint), limits.idleConnectionsPerOrigin)
        var steps = self.change(endpoint) { lane in
            var steps = Steps()
            change(&lane, &steps)
            for place in lane.shared.indices where lane.shared[place].connection.isOpen {
                lane.serve(lane.shared[place].room, place, &steps)
            }
            lane.rest(&steps)
            if lane.idle.count > mostIdle { steps.surplus.append(lane.idle.removeFirst().connection) }
            steps.dials = Self.dials(for: &lane, isSharing)
            return steps
        }
        leave(steps.surplus)
        guard steps.sweeps else { return steps }
        // Those in use may have been too many; now they are not.
        if hasTooMany, let longest = takeLongestIdle() { steps.surplus.append(longest) }
        steps.sweeps = beginSweep()
        return steps
    }

    /// A dial failed: one request for which none is left on its way fails with it, or all where none is left at all.
    mutating func dialFailed(_ endpoint: Endpoint) -> [Waiter] {
        let isSharing = sharing.contains(endpoint)
        return change(endpoint) { lane in
            lane.dialing -= 1
            if lane.hasShared || (isSharing && lane.dialing > 0) { return [] }
            let failed = lane.waiting.prefix(
                lane.dialing == 0 ? .max : min(1, max(0, lane.waiting.count - lane.dialing)))
            lane.waiting.removeFirst(failed.count)
            return failed.map(\.continuation)
        }
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
        leave(late)
        let next = lanes.values.compactMap { $0.idle.first?.since }.min()
        isSweeping = next != nil
        return (late, next)
    }

    mutating func takeIdle() -> [OriginConnection] {
        let all = lanes.values.flatMap { $0.idle.map(\.connection) }
        for endpoint in lanes.keys { change(endpoint) { $0.idle = [] } }
        leave(all)
        return all
    }
}
#endif
