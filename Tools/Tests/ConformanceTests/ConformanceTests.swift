import Testing

@Suite("Conformance over HTTP/1.1, end to end")
struct ConformanceTests {
    private static let rows = Section.all.flatMap(\.rows)
    private static let waiting = rows.filter(\.isMissing)

    @Test(
        "every row holds in every cell: kind of cache, kind of proxy, requests at once", .serialized,
        arguments: Cell.all)
    func everyRow(_ cell: Cell) async throws {
        let host = try await CacheHost.start(cell)
        var run = CellRun(cell, on: host)
        try await run.run(Self.rows.filter { !$0.isMissing })
        await host.stop()
        for failure in run.failures { Issue.record(Comment(rawValue: failure)) }
        #expect(run.mostAtOnce >= cell.concurrency)
    }

    @Test(
        "no row waits for a feature of the engine",
        .disabled(if: !waiting.isEmpty, "\(waiting.count) of \(rows.count) rows wait; see Feature.missing"))
    func nothingWaits() {
        #expect(Self.waiting.isEmpty)
    }

    @Test("every row has a name of its own, cites a standard, and has a step", arguments: Section.all)
    func wellFormed(_ section: Section) {
        #expect(!section.rows.isEmpty)
        let all = Dictionary(grouping: Self.rows, by: \.description)
        for row in section.rows {
            #expect(all[row.description]?.count == 1, "\(row)")
            #expect(row.citation.hasPrefix("RFC ") || row.citation.hasPrefix("draft-"), "\(row)")
            #expect(!row.steps.isEmpty, "\(row)")
        }
    }
}

extension Section: CustomTestStringConvertible {
    var testDescription: String { "\(name): \(rows.count) rows" }
}
