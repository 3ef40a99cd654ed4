import Testing

@Suite("The ledger knows what may be found")
struct LedgerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var lines: [String]
        var finds: [Complaint.Kind]
        var sharesKeys = false
        var losesPower = false
    }

    static let rows: [Row] = [
        Row(
            testDescription: "what was acknowledged", lines: ["A + 1 c 5 0 9", "A = 1", "A < 1 5", "A > 1 5 0:1:9"],
            finds: []),
        Row(
            testDescription: "nothing, after it", lines: ["A + 1 c 5 0 9", "A = 1", "A < 1 5", "A > 1 5 "],
            finds: [.lost]),
        Row(
            testDescription: "the old one, after the new one",
            lines: ["A + 1 c 5 0 9", "A = 1", "A + 2 c 5 0 8", "A = 2", "A < 1 5", "A > 1 5 0:1:9"], finds: [.old]),
        Row(
            testDescription: "the old one, in a look-up that began before the new one was acknowledged",
            lines: ["A + 1 c 5 0 9", "A = 1", "A + 2 c 5 0 8", "A < 1 5", "A = 2", "A > 1 5 0:1:9"], finds: []),
        Row(
            testDescription: "the new one, before it was acknowledged",
            lines: ["A < 1 5", "A + 1 c 5 0 9", "A > 1 5 0:1:9"], finds: []),
        Row(
            testDescription: "the old one, after the new one was seen",
            lines: [
                "A + 1 c 5 0 9", "A = 1", "A + 2 c 5 0 8", "B < 1 5", "B > 1 5 0:2:8", "A < 1 5", "A > 1 5 0:1:9",
            ], finds: [.old]),
        Row(
            testDescription: "one version's fields over another's content",
            lines: ["A + 1 c 5 0 9", "A = 1", "A < 1 5", "A > 1 5 0:1:8"], finds: [.foreign]),
        Row(
            testDescription: "another variant's response",
            lines: ["A + 1 c 5 0 9", "A = 1", "A < 1 5", "A > 1 5 0:1:9 1:1:9"], finds: [.foreign]),
        Row(
            testDescription: "what was removed",
            lines: ["A + 1 c 5 0 9", "A = 1", "A + 2 r 5", "A = 2", "A < 1 5", "A > 1 5 0:1:9"], finds: [.old]),
        Row(
            testDescription: "what was removed with its origin",
            lines: ["A + 1 c 13 0 9", "A = 1", "A + 2 o 1", "A = 2", "A < 1 13", "A > 1 13 0:1:9"], finds: [.old]),
        Row(
            testDescription: "either, after a change that failed",
            lines: [
                "A + 1 c 5 0 9", "A = 1", "A + 2 c 5 0 8", "A ! 2 writeFailed", "A < 1 5", "A > 1 5 0:1:9", "A < 2 5",
                "A > 2 5 0:2:8",
            ], finds: [.failedChange]),
        Row(
            testDescription: "gone when opened, with nobody at work on it",
            lines: ["A + 1 c 5 0 9", "A = 1", "A < 1 5", "A > 1 5 0:gone"], finds: [.lost]),
        Row(
            testDescription: "gone when opened, because it was being replaced",
            lines: ["A + 1 c 5 0 9", "A = 1", "A < 1 5", "A + 2 c 5 0 8", "A > 1 5 0:gone"], finds: []),
        Row(
            testDescription: "the other one of two changes at once",
            lines: ["A + 1 c 5 0 9", "B + 2 c 5 0 8", "B = 2", "A = 1", "A < 1 5", "A > 1 5 0:2:8"], finds: [],
            sharesKeys: true),
        Row(
            testDescription: "what an update did not change, because its entry had been replaced",
            lines: [
                "A + 1 c 5 0 9", "A = 1", "B + 2 u 5 0 9", "A + 3 c 5 0 7", "A = 3", "B = 2", "A < 1 5",
                "A > 1 5 0:3:7",
            ], finds: [], sharesKeys: true),
        Row(
            testDescription: "the one before, after a loss of power",
            lines: ["A + 1 c 5 0 9", "A = 1", "A + 2 c 5 0 8", "A = 2", "A < 1 5", "A ? 1 5 0:1:9"], finds: [],
            losesPower: true),
        Row(
            testDescription: "the one before, after a loss of power after a flush",
            lines: [
                "A + 1 c 5 0 9", "A = 1", "A + 2 c 5 0 8", "A = 2", "A f 1", "A F 1", "A < 1 5", "A ? 1 5 0:1:9",
            ], finds: [.old], losesPower: true),
        Row(
            testDescription: "either, after a change that failed and a flush",
            lines: [
                "A + 1 c 5 0 9", "A = 1", "A + 2 c 5 0 8", "A ! 2 writeFailed", "A f 1", "A F 1", "A < 1 5",
                "A ? 1 5 0:1:9",
            ], finds: [.failedChange]),
        Row(testDescription: "a crash", lines: ["Fatal error: Index out of range"], finds: [.stray]),
        Row(testDescription: "a complaint of the program", lines: ["A BAD key 1"], finds: [.wrongBytes]),
    ]

    @Test("a look-up is judged by what may be found", arguments: rows)
    func judges(_ row: Row) {
        var ledger = Ledger()
        (ledger.hasSharedKeys, ledger.mayLoseAcknowledged) = (row.sharesKeys, row.losesPower)
        for line in row.lines { ledger.take(line) }
        #expect(ledger.complaints.map(\.kind) == row.finds)
    }

    @Test("a change that its process did not survive may be there or not, but does not come later")
    func death() {
        var ledger = Ledger()
        for line in ["A + 1 c 5 0 9", "A = 1", "A + 2 c 5 0 8"] { ledger.take(line) }
        ledger.died("A")
        for line in ["A < 1 5", "A ? 1 5 0:1:9", "A < 2 5", "A ? 2 5 0:2:8"] { ledger.take(line) }
        #expect(ledger.complaints.map(\.kind) == [.old])
    }
}
