import CacheTesting
import Foundation
import StoreStress
import Testing

@Suite("A loss of power leaves the old entry or the new one, whole")
struct PowerLossTests {
    /// LARDER_CRASH_STATES, 80 unless it is set, for each kind of file system.
    static let states = FaultBench.number("LARDER_CRASH_STATES") ?? 80
    static let lanes = 2

    struct Row: Sendable, CustomTestStringConvertible {
        var kind: VolatileDisk.Kind
        var lane: Int
        var testDescription: String { "\(kind), recording \(lane)" }
    }

    static let rows = VolatileDisk.Kind.allCases.flatMap { kind in (0..<lanes).map { Row(kind: kind, lane: $0) } }

    @Test("writes since the last sync are kept, dropped or torn in any combination", arguments: rows)
    func losesPower(_ row: Row) async throws {
        try await FaultBench.waiting {
            let bench = try FaultBench()
            let seed = UInt64(FaultBench.seed * 100 + row.lane)
            let (disk, records) = try Self.record(bench, seed: seed, kind: row.kind)
            let complaints = try Self.crash(bench, disk, records, count: Self.states / Self.lanes, seed: seed)
            complaints.expectNone("seed \(FaultBench.seed), \(row.testDescription)")
        }
    }

    @Test("a store that never waits for the disk is found out")
    func noticesMissingSyncs() async throws {
        try await FaultBench.waiting {
            let bench = try FaultBench()
            let (disk, all) = try Self.record(bench, seed: 7, kind: .strict)
            let records = all.filter { record in
                if case .synchronize = record { false } else { true }
            }
            let complaints = try Self.crash(bench, disk, records, count: 20, seed: 7)
            #expect(!complaints.isEmpty)
        }
    }

    /// Two lives: what the first one leaves is safe, and the second one is the one that ends in the dark.
    private static func record(
        _ bench: FaultBench, seed: UInt64, kind: VolatileDisk.Kind
    ) throws -> (VolatileDisk, [FileJournal.Record]) {
        var disk = VolatileDisk(kind: kind)
        for (life, operations) in [60, 40].enumerated() {
            let journal = "\(bench.folder)/journal\(life)"
            try bench.run(
                ["--operations", "\(operations)", "--limit", "300000"], seed: seed + UInt64(life),
                faults: ["JOURNAL": journal])
            bench.ledger.complaints.expectNone("seed \(seed): while recording")
        }
        for record in try FileJournal(path: bench.folder + "/journal0").records { disk.take(record) }
        disk.settle()
        let records = try FileJournal(path: bench.folder + "/journal1").records
        try #require(records.contains { if case .write = $0 { true } else { false } }, "nothing was recorded")
        return (disk, records)
    }

    /// Goes through a recording, and opens what some moments of it could leave.
    private static func crash(
        _ bench: FaultBench, _ settled: VolatileDisk, _ records: [FileJournal.Record], count: Int, seed: UInt64
    ) throws -> [Complaint] {
        var (disk, random) = (settled, SplitMix64(seed: seed))
        var complaints: [Complaint] = []
        // The ledger of the second life: what is found when it opens is safe, all that follows may be lost.
        var ledger = Ledger()
        let moments = (0..<count).map { _ in Int(random.next() % UInt64(records.count)) }.sorted()
        var next = moments[...]
        let copy = bench.folder + "/crashed"
        for (moment, record) in records.enumerated() {
            disk.take(record)
            if case .line(let line) = record {
                // The first look at each key is what the disk held before; no complaint of this kind is of interest.
                ledger.take(line)
                if line.hasSuffix(" ready") { ledger.mayLoseAcknowledged = true }
            }
            while next.first == moment {
                next.removeFirst()
                guard ledger.mayLoseAcknowledged else { continue }
                let loss = try disk.losePower(into: copy, from: bench.store, random: &random)
                bench.ledger = ledger
                bench.ledger.forgetComplaints()
                bench.ledger.died("A")
                try bench.check(["--limit", "300000"], directory: copy)
                complaints += bench.ledger.complaints.map {
                    Complaint(kind: $0.kind, text: "moment \(moment), \(loss): \($0.text)")
                }
            }
        }
        return complaints
    }
}
