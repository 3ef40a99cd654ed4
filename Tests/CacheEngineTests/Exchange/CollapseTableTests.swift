import HTTPCacheSemantics
import Testing

@testable import CacheEngine

@Suite("CollapseTable: which request is forwarded")
struct CollapseTableTests {
    private let table = CollapseTable()
    private let key = CacheKey(uri: "https://example.com/a")

    private func join(_ completions: UInt64? = nil) -> CollapseTable.Role {
        table.join(key, lookedUpAt: completions ?? table.completions(of: key))
    }

    private func first() throws -> InFlight {
        guard case .first(let flight) = join() else { throw NotFirst() }
        return flight
    }

    private struct NotFirst: Error {}

    @Test("the first request flies and the others follow, until it has landed")
    func roles() throws {
        let flight = try first()
        guard case .follower(let followed) = join() else {
            Issue.record("the second one should follow")
            return
        }
        #expect(followed === flight)
        table.land(key, flight)
        #expect(try first() !== flight)
    }

    @Test("a look-up from before a landing is outdated")
    func outdated() throws {
        let before = table.completions(of: key)
        table.land(key, try first())
        guard case .lookAgain = join(before) else {
            Issue.record("a response that was stored meanwhile would be missed")
            return
        }
        _ = try first()
    }

    @Test("landing twice, or after a successor has begun, changes nothing")
    func landingTwice() throws {
        let old = try first()
        table.land(key, old)
        let new = try first()
        let completions = table.completions(of: key)
        table.land(key, old)
        #expect(table.completions(of: key) == completions)
        guard case .follower(let flight) = join() else {
            Issue.record("the successor is still in flight")
            return
        }
        #expect(flight === new)
    }

    @Test("after an invalidation no request joins one that left before")
    func invalidation() throws {
        let old = try first()
        table.detach(key)
        let new = try first()
        #expect(new !== old)
        // A flight that is about to leave does not detach itself.
        table.detach(key, except: new)
        guard case .follower(let flight) = join() else {
            Issue.record("the flight is gone")
            return
        }
        #expect(flight === new)
    }

    @Test("requests for a key with unshareable answers do not wait, until an answer can be shared")
    func unshareable() throws {
        table.note(key, isShareable: false)
        guard case .alone = join() else {
            Issue.record("should go alone")
            return
        }
        table.note(key, isShareable: true)
        _ = try first()
    }

    @Test("all waiting and later requests get the outcome; only the first one counts")
    func outcomes() async throws {
        let flight = InFlight()
        let waiting = (0..<10).map { _ in Task { await flight.outcome() } }
        for _ in 0..<20 { await Task.yield() }
        flight.publish(.confirmed)
        flight.publish(.abandoned)
        for task in waiting {
            guard case .confirmed = await task.value else {
                Issue.record("another outcome")
                return
            }
        }
        guard case .confirmed = await flight.outcome() else {
            Issue.record("another outcome")
            return
        }
    }

    @Test("a task that is cancelled while waiting, or before, gets no outcome")
    func cancelledWaiting() async {
        let flight = InFlight()
        let early = Task { await flight.outcome() }
        for _ in 0..<20 { await Task.yield() }
        early.cancel()
        #expect(await early.value.map { _ in true } == nil)
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return await flight.outcome()
        }
        late.cancel()
        #expect(await late.value.map { _ in true } == nil)
    }
}
