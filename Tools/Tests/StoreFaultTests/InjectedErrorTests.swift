import StoreStress
import Testing

@Suite("Errors of the file system: what was stored stays, reading goes on, and so does writing when they are over")
struct InjectedErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// As in `faulty_files.h`.
        var kind: String
        var first: Int
        /// 0: to the end.
        var count: Int
        var allowed: Set<Complaint.Kind> = [.failedChange, .unwritable, .unclean]
        var testDescription: String { "\(kind), from call \(first), \(count == 0 ? "for ever" : "\(count) calls")" }
    }

    static let readingToo: Set<Complaint.Kind> = [.failedChange, .unwritable, .unclean, .failedLook, .miscounted]

    /// Where reading fails while the process looks whether all is well at its end, it can't see that it is. The look
    /// from outside, without errors, allows nothing.
    static let verifyingToo: Set<Complaint.Kind> = readingToo.union([.unopened, .unsound])

    static let rows: [Row] = [
        // Readers of the index write as well, in the shared memory of its write-ahead log (SQLite, "WAL-mode file
        // format").
        Row(kind: "enospc", first: 1, count: 0, allowed: [.failedChange, .unwritable, .unclean, .failedLook]),
        Row(kind: "eio", first: 1, count: 0),
        Row(kind: "readonly", first: 1, count: 0),
        Row(kind: "sync", first: 1, count: 0),
        Row(kind: "enospc", first: 150, count: 1), Row(kind: "enospc", first: 300, count: 200),
        Row(kind: "eio", first: 157, count: 1), Row(kind: "eio", first: 250, count: 20),
        Row(kind: "eio", first: 300, count: 200), Row(kind: "sync", first: 5, count: 10),
        Row(kind: "emfile", first: 1, count: 3, allowed: readingToo.union([.unopened])),
        Row(kind: "emfile", first: 25, count: 3, allowed: readingToo.union([.unsound])),
        Row(kind: "emfile", first: 35, count: 2, allowed: readingToo.union([.unsound])),
        Row(kind: "read", first: 60, count: 5, allowed: readingToo.union([.unopened])),
        // An opening reads all of the write-ahead log that an earlier process left.
        Row(kind: "read", first: 600, count: 40, allowed: verifyingToo),
        Row(kind: "read", first: 200, count: 40, allowed: verifyingToo),
        // No error at all: write(2) may always write less than it was given.
        Row(kind: "short", first: 1, count: 0, allowed: []),
    ]

    @Test("an error costs nothing but the changes that it hit", arguments: rows)
    func survives(_ row: Row) async throws {
        try await FaultBench.waiting {
            let bench = try FaultBench()
            let seed = UInt64(FaultBench.seed)
            try bench.run(["--operations", "40"], seed: seed)
            let looksBefore = bench.ledger.looksBy["A", default: 0]
            let signal = try bench.run(
                ["--operations", "80", "--reads", "200"], seed: seed + 1,
                faults: ["ERROR": "\(row.kind):\(row.first):\(row.count)"])
            #expect(signal == nil, "\(row.testDescription): ended by a signal")
            let hadFault = bench.ledger.hadFault
            #expect(hadFault, "\(row.testDescription): nothing was hit")
            // Errors that may fall into the opening may also be over only at the end.
            let isAboutWork = !row.allowed.contains(.unopened) || row.first >= 600
            let wasOpened = !bench.ledger.complaints.contains { $0.kind == .unopened }
            if row.count > 0, isAboutWork, wasOpened {
                let after = bench.ledger.acknowledgedAfterFault
                #expect(after > 0, "\(row.testDescription): no change succeeded after the errors had ended")
            }
            let looks = bench.ledger.looksBy["A", default: 0] - looksBefore
            if isAboutWork, wasOpened {
                #expect(looks > 150, "\(row.testDescription): only \(looks) look-ups succeeded")
            }
            bench.ledger.complaints.expectNone(
                but: row.allowed, "seed \(seed), \(row.testDescription): \(bench.ledger.failed) changes failed")
            bench.ledger.forgetComplaints()
            try bench.check()
            bench.ledger.complaints.expectNone("seed \(seed), \(row.testDescription): opened again without errors")
        }
    }
}
