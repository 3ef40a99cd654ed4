import CacheRules
import Foundation
import LarderKitConnectivity
import Network
import Testing

/// The source against stand-ins for the system. Serial: the system is one.
@Suite("NWPathMonitor as a source of connectivity", .serialized)
struct NetworkPathSourceTests {
    @Test("until the system has said something, there is a network")
    func first() {
        #expect(NetworkPathSource().current == .connected)
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
        let source = NetworkPathSource()
        var changes = source.changes().makeAsyncIterator()
        #expect(NWPathMonitor.simulate(path) == 1)
        #expect(source.current == expected)
        #expect(await changes.next() == expected)
    }

    @Test("saving the battery is told beside the path, and neither forgets the other")
    func lowPower() async {
        let source = NetworkPathSource()
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
        var source: NetworkPathSource? = NetworkPathSource()
        let stream = source?.changes()
        #expect(NWPathMonitor.simulate(NWPath(.satisfied)) == 1)
        source = nil
        #expect(NWPathMonitor.simulate(NWPath(.unsatisfied)) == 0)
        var told: [Connectivity] = []
        if let stream { for await connectivity in stream { told.append(connectivity) } }
        #expect(told == [.connected])
    }
}
