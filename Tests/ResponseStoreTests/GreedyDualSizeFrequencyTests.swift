import HTTPCacheSemantics
import ResponseStore
import Testing

@Suite("GreedyDualSizeFrequency: milliseconds saved for each byte, on top of a clock")
struct GreedyDualSizeFrequencyTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var uses = 1
        var size: Int64 = 1_000
        var cost = Duration.milliseconds(38)
        var clock = 0.0
        var priority: Double
        var testDescription: String { "\(uses) × \(size) B in \(cost) at \(clock)" }
    }

    @Test(
        "the measured time, 60 ms and 4 Mbit/s, by the size, times the uses",
        arguments: [
            // 38 + 60 + 2 ms for 1,000 bytes.
            Row(priority: 0.1), Row(uses: 3, priority: 0.3), Row(clock: 2, priority: 2.1),
            // At most eight uses count, and no use counts as one.
            Row(uses: 8, priority: 0.8), Row(uses: 9, priority: 0.8), Row(uses: 0, priority: 0.1),
            // 100 + 60 + 2,000 ms for a million.
            Row(size: 1_000_000, cost: .milliseconds(100), priority: 0.00216),
            // Costs are clamped to between zero and a second.
            Row(cost: .seconds(90), priority: 1.062), Row(cost: .seconds(-1), priority: 0.062),
            Row(size: 0, cost: .milliseconds(40), priority: 100.002),
        ])
    func priority(_ row: Row) {
        let recency = GreedyDualSizeFrequency(clock: row.clock)
        let priority = recency.priority(uses: row.uses, size: ByteCount(row.size), cost: row.cost)
        #expect(abs(priority - row.priority) < 1e-9)
    }

    @Test("the clock is the highest evicted priority, whatever the order")
    func clock() {
        var recency = GreedyDualSizeFrequency()
        for priority in [0.2, 0.5, 0.3, .infinity, .nan] { recency.noteEviction(ofPriority: priority) }
        #expect(recency.clock == 0.5)
    }

    @Test("an invalid clock is zero", arguments: [-1, .nan, .infinity, -Double.infinity])
    func senselessClock(_ clock: Double) {
        #expect(GreedyDualSizeFrequency(clock: clock).clock == 0)
    }

    @Test("later responses of less value overtake a response that is not used any more")
    func overtaking() {
        var recency = GreedyDualSizeFrequency()
        let once = recency.priority(uses: 8, size: .kibibytes(1), cost: .milliseconds(500))
        var passes = 0
        while recency.priority(uses: 1, size: .kibibytes(100), cost: .zero) < once, passes < 10_000 {
            recency.noteEviction(ofPriority: recency.priority(uses: 1, size: .kibibytes(100), cost: .zero))
            passes += 1
        }
        #expect(passes > 100 && passes < 10_000)
    }
}
