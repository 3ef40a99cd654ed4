import CacheTesting
import Foundation
import Locking
import Testing

@testable import LarderKit

@Suite("What runs as long as anybody uses it", .timeLimit(.minutes(10)))
struct SharedUseTests {
    private struct Failure: Error {}
    private let places = SharedUse.Places<Int>()
    private let counts = LockedBox((begun: 0, ended: 0))

    private func begin() -> SharedUse {
        let counts = counts
        counts.withLock { $0.begun += 1 }
        return SharedUse("value") { counts.withLock { $0.ended += 1 } }
    }

    @Test("many at once share one, which ends with the last of them; the next one begins another")
    func shared() async throws {
        for round in 1...3 {
            do {
                let uses = try await withThrowingTaskGroup(of: SharedUse.self) { group in
                    for _ in 0..<20 { group.addTask { try await places.use(0) { begin() } } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(Set(uses.map { ObjectIdentifier($0) }).count == 1)
                // An optimized build lets go of them after their last use.
                withExtendedLifetime(uses) { #expect(counts.withLock { $0 == (round, round - 1) }) }
            }
            while counts.withLock({ $0.ended }) < round { await Task.yield() }
        }
    }

    @Test("a failure is everybody's who waits, and the next one tries again")
    func failure() async throws {
        await #expect(throws: Failure.self) { try await places.use(0) { throw Failure() } }
        #expect(try await places.use(0) { begin() }.value as? String == "value")
    }

    @Test("what wants the same shares a place, and others have their own")
    func kinds() async throws {
        let first = try await places.use(1) { begin() }
        let same = try await places.use(1) { begin() }
        let other = try await places.use(2) { begin() }
        #expect(first === same && first !== other)
    }
}
