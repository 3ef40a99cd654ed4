import Locking
import Testing

@Suite("Elements for everybody who listens")
struct BroadcastTests {
    @Test("each listener gets what comes from its call on, and its end with the broadcast's")
    func streams() async {
        var broadcast = Broadcast<Int>() as Broadcast<Int>?
        #expect(broadcast?.isEmpty == true)
        let first = broadcast?.stream()
        broadcast?.yield(1)
        let latest = broadcast?.stream(.bufferingNewest(1))
        #expect(broadcast?.isEmpty == false)
        for element in 2...3 { broadcast?.yield(element) }
        broadcast = nil
        var elements: [[Int]] = []
        for stream in [first, latest].compactMap(\.self) {
            elements.append(await stream.reduce(into: []) { $0.append($1) })
        }
        #expect(elements == [[1, 2, 3], [3]])
    }

    @Test("a listener that has gone counts no more, and others go on")
    func gone() async {
        let broadcast = Broadcast<Int>()
        let kept = broadcast.stream()
        do { _ = broadcast.stream() }
        broadcast.yield(1)
        #expect(!broadcast.isEmpty)
        broadcast.finish()
        #expect(broadcast.isEmpty)
        var elements: [Int] = []
        for await element in kept { elements.append(element) }
        #expect(elements == [1])
    }
}
