import CacheRules
import CacheTesting
import Foundation
import LarderKitConnectivity
import Network
import Testing

/// The source against stand-ins for the system. Serial: the system is one.
@Suite("NWPathMonitor as a source of connectivity", .serialized)
struct NetworkPathSourceTests {
    /// Other tests' sources hear nothing of what is simulated here.
    private static func makeSource() -> NetworkPathSource {
        NWPathMonitor.$isSimulated.withValue(true) { NetworkPathSource() }
    }

    @Test("until the system has said something, there is a network")
    func first() {
        #expect(Self.makeSource().current == .connected)
    }

    @Test(
        "what a path says is what counts from then on",
        arguments: [
            (NWPath(.unsatisfied), Connectivity.disconnected),
            (NWPath(.satisfied), .connected),
            (NWPath(.requiresConnection), .connected),
            (NWPath(.satisfied, isExpensive: true), Connectivity(isExpensive: true)),
            (NWPath(.satisfied, isConstrained: true), Connectivity(isConstrained: true)),
        ])
    func paths(_ path: NWPath, _ expected: Connectivity) async {
        let source = Self.makeSource()
        var changes = source.changes().makeAsyncIterator()
        #expect(NWPathMonitor.simulate(path) == 1)
        #expect(source.current == expected)
        #expect(await changes.next() == expected)
    }

    @Test("saving the battery is told beside the path, and neither forgets the other")
    func lowPower() async {
        let source = Self.makeSource()
        var changes = source.changes().makeAsyncIterator()
        ProcessInfo.simulate(isLowPower: true)
        _ = NWPathMonitor.simulate(NWPath(.unsatisfied))
        ProcessInfo.simulate(isLowPower: false)
        #expect(await changes.next() == Connectivity(isLowPower: true))
        #expect(await changes.next() == Connectivity(hasNetwork: false, isLowPower: true))
        #expect(await changes.next() == .disconnected)
        #expect(source.current == .disconnected)
    }

    @Test("a source that is gone listens to nothing, and its streams have ended")
    func gone() async {
        var source: NetworkPathSource? = Self.makeSource()
        let stream = source?.changes()
        #expect(NWPathMonitor.simulate(NWPath(.satisfied)) == 1)
        source = nil
        #expect(NWPathMonitor.simulate(NWPath(.unsatisfied)) == 0)
        var told: [Connectivity] = []
        if let stream { for await connectivity in stream { told.append(connectivity) } }
        #expect(told == [.connected])
    }
}

extension NetworkPathSourceTests {
    /// A listener, and what it has to hear.
    private struct Listener {
        var stream: AsyncStream<Connectivity>
        var expected: [Connectivity] = []
    }

    @Test(
        "random orders: whoever listens hears all from then on, in order, until the source is gone, and nothing after it"
    )
    func orders() async {
        for seed in 0..<RandomOrders.count {
            var random = SplitMix64(seed: seed)
            ProcessInfo.simulate(isLowPower: Bool.random(using: &random))
            var source: NetworkPathSource? = Self.makeSource()
            var known = Connectivity(isLowPower: ProcessInfo.processInfo.isLowPowerModeEnabled)
            var listeners: [Listener] = []
            var faults: [String] = []
            for _ in 0..<Int.random(in: 1...10, using: &random) {
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1:
                    let status = [NWPath.Status.satisfied, .unsatisfied, .requiresConnection].randomElement(
                        using: &random)
                    let path = NWPath(
                        status ?? .satisfied, isExpensive: Bool.random(using: &random),
                        isConstrained: Bool.random(using: &random))
                    if NWPathMonitor.simulate(path) != (source == nil ? 0 : 1) { faults.append("heard by others") }
                    if source == nil { continue }
                    known.hasNetwork = path.status != .unsatisfied
                    (known.isExpensive, known.isConstrained) = (path.isExpensive, path.isConstrained)
                    for place in listeners.indices { listeners[place].expected.append(known) }
                case 2:
                    let isLowPower = Bool.random(using: &random)
                    ProcessInfo.simulate(isLowPower: isLowPower)
                    if source == nil { continue }
                    known.isLowPower = isLowPower
                    for place in listeners.indices { listeners[place].expected.append(known) }
                case 3: if let source { listeners.append(Listener(stream: source.changes())) }
                case 4: if !listeners.isEmpty { listeners.removeFirst() }
                default: if Int.random(in: 0..<3, using: &random) == 0 { source = nil }
                }
                if let source, source.current != known { faults.append("\(source.current) is not \(known)") }
            }
            source = nil
            for listener in listeners {
                var heard: [Connectivity] = []
                for await connectivity in listener.stream { heard.append(connectivity) }
                if heard != listener.expected { faults.append("heard \(heard), not \(listener.expected)") }
            }
            guard faults.isEmpty else {
                Issue.record("seed \(seed): \(faults)")
                return
            }
        }
        ProcessInfo.simulate(isLowPower: false)
    }
}
