import CacheRules
import CacheTesting
import Testing

@testable import CacheEngine

@Suite("Connectivity: set by hand, else by a source, else connected", .timeLimit(.minutes(5)))
struct ConnectivityMonitorTests {
    enum Event: Sendable {
        case report(Connectivity)
        case override(Connectivity?)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var reported: Connectivity?
        var events: [Event]
        /// What each event makes count; `nil` where nothing changes.
        var changes: [Connectivity?]
        var testDescription: String { name }
    }

    private static let expensive = Connectivity(isExpensive: true)

    private static let rows: [Row] = [
        Row(name: "without a source there is a network", events: [], changes: []),
        Row(
            name: "without a source it goes by hand", events: [.override(.disconnected), .override(nil)],
            changes: [.disconnected, .connected]),
        Row(
            name: "the source decides, each trait counts, and a repetition is no change", reported: .connected,
            events: [.report(expensive), .report(expensive), .report(.disconnected)],
            changes: [expensive, nil, .disconnected]),
        Row(
            name: "what is set by hand wins over what the source says later", reported: .connected,
            events: [.override(.disconnected), .report(expensive), .report(.disconnected), .report(expensive)],
            changes: [.disconnected, nil, nil, nil]),
        Row(
            name: "given back, what the source said meanwhile counts", reported: .connected,
            events: [.override(.disconnected), .report(expensive), .override(nil)],
            changes: [.disconnected, nil, expensive]),
        Row(
            name: "a network set by hand hides that there is none", reported: .disconnected,
            events: [.override(.connected), .report(.disconnected), .override(nil)],
            changes: [.connected, nil, .disconnected]),
        Row(
            name: "flapping is told step by step", reported: .connected,
            events: [.report(.disconnected), .report(.connected), .report(.disconnected), .report(.connected)],
            changes: [.disconnected, .connected, .disconnected, .connected]),
    ]

    @Test("the state", arguments: rows)
    func state(_ row: Row) {
        var state = ConnectivityState(reported: row.reported)
        #expect(state.current == row.reported ?? .connected)
        for (event, expected) in zip(row.events, row.changes) {
            let before = state.current
            let change =
                switch event {
                case .report(let connectivity): state.report(connectivity)
                case .override(let connectivity): state.override(connectivity)
                }
            #expect(change == expected)
            #expect(state.current == expected ?? before)
        }
    }

    @Test("the monitor says what its source says, and tells everyone who listens, in order")
    func monitor() async {
        let source = ScriptedConnectivity(.disconnected)
        let monitor = ConnectivityMonitor(source: source)
        #expect(monitor.current == .disconnected)
        var (one, other) = (monitor.changes().makeAsyncIterator(), monitor.changes().makeAsyncIterator())
        for connectivity in [Connectivity.connected, .disconnected, Self.expensive] { source.report(connectivity) }
        for expected in [Connectivity.connected, .disconnected, Self.expensive] {
            #expect(await one.next() == expected)
            #expect(await other.next() == expected)
        }
        #expect(monitor.current == Self.expensive)
        monitor.override = .disconnected
        #expect(monitor.current == .disconnected && monitor.override == .disconnected)
        #expect(await one.next() == .disconnected)
        monitor.override = nil
        #expect(await one.next() == Self.expensive)
    }

    @Test("a source that has ended leaves what it said last in force; a monitor that is gone ends its streams")
    func ends() async {
        let source = ScriptedConnectivity()
        var monitor: ConnectivityMonitor? = ConnectivityMonitor(source: source)
        let stream = monitor?.changes()
        source.report(.disconnected)
        source.end()
        var changes = stream?.makeAsyncIterator()
        #expect(await changes?.next() == .disconnected)
        #expect(monitor?.current == .disconnected)
        monitor = nil
        #expect(await changes?.next() == nil)
    }
}
