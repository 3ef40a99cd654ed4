import Locking
import Testing

@Suite("A value behind a lock")
struct LockedBoxTests {
    private struct Refusal: Error {}

    @Test("no change is lost where many tasks make them")
    func exclusive() async {
        let box = LockedBox(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<10_000 { box.withLock { $0 += 1 } } }
            }
        }
        #expect(box.withLock { $0 } == 80_000)
    }

    @Test("the closure sees the value that the one before it left, and its result is returned")
    func results() {
        let box = LockedBox(["a"])
        let count = box.withLock { value in
            value.append("b")
            return value.count
        }
        #expect(count == 2 && box.withLock { $0 } == ["a", "b"])
    }

    @Test("a closure that throws keeps what it has changed and gives the lock back")
    func throwing() {
        let box = LockedBox(0)
        #expect(throws: Refusal.self) {
            try box.withLock { value in
                value = 1
                throw Refusal()
            }
        }
        #expect(box.withLock { $0 } == 1)
    }
}
