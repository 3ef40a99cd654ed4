import Testing

/// `make test` plays 20,000 exchanges, the same every time; `make test-model` a million from a new seed.
@Suite("Random exchanges against a model of RFC 9111")
struct ExchangeTests {
    @Test("every answer is one that the model allows", .timeLimit(.minutes(60)))
    func allowed() async throws {
        let result = await ModelRun.fromEnvironment().play()
        for story in result.stories { Issue.record("\(story)") }
        // A run that hardly reuses stored responses proves nothing.
        let counts = result.counts
        guard counts.exchanges >= 1000 else { return }
        #expect(counts.hits > counts.exchanges / 10, "\(counts)")
        #expect(counts.validated > counts.exchanges / 50, "\(counts)")
        #expect(counts.stale > counts.exchanges / 200, "\(counts)")
        #expect(counts.errors > counts.exchanges / 50, "\(counts)")
    }
}
