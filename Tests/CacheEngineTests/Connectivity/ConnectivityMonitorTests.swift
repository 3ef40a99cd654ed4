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
        /// The connectivity after each event; `nil` where it does not change.
        var changes: [Connectivity?]
        var testDescription: String { name }
    }

    private static let expensive = Connectivity(isExpensive: true)

    private static let rows: [Row] = [
        Row(name: "without a source there is a network", events: [], changes: []),
        Row(
            name: "without a source the override decides", events: [.override(.disconnected), .override(nil)],
            changes: [.disconnected, .connected]),
        Row(
            name: "the source decides, each trait counts, and a repetition is no change", reported: .connected,
            events: [.report(expensive), .report(expensive), .report(.disconnected)],
            changes: [expensive, nil, .disconnected]),
        Row(
            name: "the override wins over later reports of the source", reported: .connected,
            events: [.override(.disconnected), .report(expensive), .report(.disconnected), .report(expensive)],
            changes: [.disconnected, nil, nil, nil]),
        Row(
            name: "without the override the source's last report counts", reported: .connected,
            events: [.override(.disconnected), .report(expensive), .override(nil)],
            changes: [.disconnected, nil, expensive]),
        Row(
            name: "an override to connected hides that there is no network", reported: .disconnected,
            events: [.override(.connected), .report(.disconnected), .override(nil)],
            changes: [.connected, nil, .disconnected]),
        Row(
            name: "flapping is reported step by step", reported: .connected,
            events: [.report(.disconnected), .report(.connected), .report(.disconnected), .report(.connected)],
            changes: [.disconnected, .connected, .disconnected, .connected]),
    ]

    @Test("the state after each event", arguments: rows)
    func state(_ row: Row) async {
        let shared = ConnectivityMonitor.Shared(reported: row.reported)
        var current = row.reported ?? .connected
        var changes = shared.listeners.stream().makeAsyncIterator()
        #expect(shared.state.withLock { $0.current } == current)
        for (event, expected) in zip(row.events, row.changes) {
            switch event {
            case .report(let connectivity): shared.change { $0.reported = connectivity }
            case .override(let connectivity): shared.change { $0.override = connectivity }
            }
            if let expected {
                current = expected
                #expect(await changes.next() == expected)
            }
            #expect(shared.state.withLock { $0.current } == current)
        }
        shared.listeners.finish()
        #expect(await changes.next() == nil, "a change that is none")
    }

    @Test("the monitor passes its source's reports to all listeners, in order")
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

    @Test("the last report of a source that has ended stays in force; a deallocated monitor ends its streams")
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
