import Locking
import Testing

@Suite("A flag that threads share")
struct AtomicFlagTests {
    @Test("has the value that was set last", arguments: [true, false])
    func value(_ first: Bool) {
        let flag = AtomicFlag(first)
        #expect(flag.value == first)
        flag.value = !first
        #expect(flag.value != first)
        flag.value = first
        #expect(flag.value == first)
    }

    @Test("a task that sees it set sees what was written before")
    func publishes() async {
        for round in 1...200 {
            let (flag, written) = (AtomicFlag(false), LockedBox(0))
            async let seen = Task {
                while !flag.value { await Task.yield() }
                return written.withLock { $0 }
            }.value
            written.withLock { $0 = round }
            flag.value = true
            #expect(await seen == round)
        }
    }
}
