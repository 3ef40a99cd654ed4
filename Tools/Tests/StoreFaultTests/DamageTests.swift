import CacheTesting
import Foundation
import Glibc
import StoreStress
import Testing

@Suite("Damaged, purged and missing files: what is served is whole and right, and the rest stays")
struct DamageTests {
    /// Cases of each kind of damage: LARDER_DAMAGES, 12 unless it is set.
    static let cases = FaultBench.number("LARDER_DAMAGES") ?? 12

    struct Row: Sendable, CustomTestStringConvertible {
        var damage: DamagedFile
        var isIndex: Bool
        var testDescription: String { "\(damage) in \(isIndex ? "the index" : "a file of bodies")" }
    }

    static let rows = DamagedFile.allCases.flatMap { damage in
        [false, true].map { Row(damage: damage, isIndex: $0) }
    }

    @Test("damage to a store at rest costs what it hit", arguments: rows)
    func atRest(_ row: Row) async throws {
        try await FaultBench.waiting {
            let bench = try FaultBench()
            var random = SplitMix64(seed: UInt64(FaultBench.seed))
            try bench.run(["--operations", "80"], seed: random.next() % 9_999)
            try bench.check()
            bench.ledger.complaints.expectNone("before the damage")
            let (whole, most) = (bench.ledger, bench.ledger.mostSharers)
            let files = DamagedFile.files(in: bench.store).filter { $0.hasPrefix("index.sqlite") == row.isIndex }
            var complaints: [Complaint] = []
            let copy = bench.folder + "/copy"
            for _ in 0..<Self.cases {
                try? FileManager.default.removeItem(atPath: copy)
                try FileManager.default.copyItem(atPath: bench.store, toPath: copy)
                let file = try #require(files.isEmpty ? nil : files[Int(random.next() % UInt64(files.count))])
                guard let place = try row.damage.harm(copy + "/" + file, random: &random) else { continue }
                bench.ledger = whole
                try bench.check(directory: copy)
                let lost = bench.ledger.complaints.filter { $0.kind == .lost }.count
                var found = bench.ledger.complaints.filter { $0.kind != .lost }
                if lost > most, !row.isIndex {
                    found.append(Complaint(kind: .lost, text: "\(lost) entries, of which \(most) may share a body"))
                }
                // Opened once more, nothing of the damage is left to be found.
                bench.ledger.forgetComplaints()
                try bench.check(directory: copy)
                found += bench.ledger.complaints
                // A log that a process left, as it ended before SQLite's own closing, gives back an older state without
                // it.
                if file.hasSuffix("-wal") { found.removeAll { $0.kind == .old } }
                complaints += found.map {
                    Complaint(kind: $0.kind, text: "\(place): \($0.text)")
                }
            }
            complaints.expectNone("seed \(FaultBench.seed), \(row.testDescription), \(Self.cases) cases")
        }
    }

    @Test("files are harmed while the store is open and at work", arguments: rows)
    func whileOpen(_ row: Row) async throws {
        try await FaultBench.waiting {
            var complaints: [Complaint] = []
            for number in 0..<max(1, Self.cases / 4) {
                let bench = try FaultBench()
                var random = SplitMix64(seed: UInt64(FaultBench.seed * 1_000 + number))
                try bench.run(["--operations", "60"], seed: random.next() % 9_999)
                var (lines, places): (Int, [String]) = (0, [])
                let signal = try bench.run(["--operations", "80"], seed: random.next() % 9_999) { _ in
                    lines += 1
                    guard lines > 200, lines % 150 == 0 else { return }
                    let files = DamagedFile.files(in: bench.store).filter {
                        $0.hasPrefix("index.sqlite") == row.isIndex
                    }
                    guard !files.isEmpty else { return }
                    let file = bench.store + "/" + files[Int(random.next() % UInt64(files.count))]
                    // A body may have been removed since.
                    if let place = try? row.damage.harm(file, random: &random) { places.append(place) }
                }
                if let signal { bench.ledger.take("A ended by signal \(signal)") }
                // Who takes the index from under an open database can give back an older one.
                var allowed: Set<Complaint.Kind> = [.lost, .failedChange, .failedLook]
                if row.isIndex { allowed.insert(.old) }
                // The blocks of an open file are compared once; what comes to harm later is found at the next opening.
                if !row.isIndex, row.damage == .bit || row.damage == .page { allowed.insert(.wrongBytes) }
                try bench.check()
                var found = bench.ledger.complaints.filter { !allowed.contains($0.kind) }
                bench.ledger.forgetComplaints()
                try bench.check()
                found += bench.ledger.complaints
                complaints += found.map {
                    Complaint(kind: $0.kind, text: "case \(number), \(places.first ?? ""): \($0.text)")
                }
            }
            complaints.expectNone("seed \(FaultBench.seed), \(row.testDescription)")
        }
    }

    @Test("harm to SQLite's shared memory between two runs costs nothing", arguments: DamagedFile.allCases)
    func sharedMemoryAtRest(_ damage: DamagedFile) async throws {
        try await FaultBench.waiting {
            let bench = try FaultBench()
            var random = SplitMix64(seed: UInt64(FaultBench.seed))
            // Killed, so that the file stays.
            try bench.run(["--operations", "80"], seed: random.next() % 9_999, killAtLine: 200)
            let file = bench.store + "/index.sqlite-shm"
            #expect(try damage.harm(file, random: &random) != nil)
            try bench.check()
            try bench.check()
            bench.ledger.complaints.expectNone("seed \(FaultBench.seed), \(damage)")
        }
    }

    /// SQLite maps the file, and so the system ends whoever looks into it then: SIGBUS, mmap(2). See
    /// docs/store-faults.md.
    @Test(
        "the shared memory is cut while two processes have the store open: entries may be lost, and nothing wrong is served",
        arguments: [DamagedFile.truncated, .emptied])
    func sharedMemoryWhileOpen(_ damage: DamagedFile) async throws {
        try await FaultBench.waiting {
            let bench = try FaultBench()
            var random = SplitMix64(seed: UInt64(FaultBench.seed))
            try bench.run(["--operations", "60"], seed: random.next() % 9_999)
            let pipe = try LinePipe()
            let work = TwoProcessTests.disjoint.map { $0 + ["--operations", "200"] }
            let processes = try bench.start(work, seed: random.next() % 9_999, into: pipe)
            pipe.sealed()
            var lines = 0
            while let line = try pipe.next() {
                bench.ledger.take(line)
                lines += 1
                if lines == 300 { _ = try damage.harm(bench.store + "/index.sqlite-shm", random: &random) }
            }
            for (process, name) in zip(processes, ["A", "B"]) {
                let signal = process.wait()
                #expect(signal == nil || signal == SIGBUS, "\(name) ended by signal \(signal ?? 0)")
                bench.ledger.died(name)
            }
            for _ in 0..<2 { try bench.check() }
            // A process that goes on reads what is left of the file, and its next change may rest on an older state.
            bench.ledger.complaints.expectNone(
                but: [.lost, .old, .failedChange, .failedLook], "seed \(FaultBench.seed), \(damage)")
        }
    }

    @Test("a store that serves half a body is found out")
    func noticesTornBodies() async throws {
        try await FaultBench.waiting {
            let bench = try FaultBench()
            try bench.run(["--operations", "40"], seed: 1)
            try bench.check(["--fault", "torn"])
            #expect(bench.ledger.complaints.contains { $0.kind == .wrongBytes })
        }
    }

    /// A new index beside the old one cut the shared memory into which the same process looked.
    @Test("the index alone is removed again and again while the store is open: it begins anew, and no signal ends it")
    func removedIndex() async throws {
        try await FaultBench.waiting {
            let bench = try FaultBench()
            try bench.run(["--operations", "60"], seed: 1)
            var lines = 0
            let signal = try bench.run(["--operations", "\(Self.cases * 20)"], seed: 2) { _ in
                lines += 1
                if lines > 200, lines % 10 == 0 {
                    try? FileManager.default.removeItem(atPath: bench.store + "/index.sqlite")
                }
            }
            #expect(signal == nil)
            try bench.check()
            bench.ledger.complaints.expectNone(but: [.lost, .old, .failedChange, .failedLook], "removed")
            bench.ledger.forgetComplaints()
            try bench.check()
            bench.ledger.complaints.expectNone("opened again")
        }
    }

    @Test("the whole directory is removed while the store is open: nothing wrong is served, and a new one works")
    func removedDirectory() async throws {
        try await FaultBench.waiting {
            let bench = try FaultBench()
            try bench.run(["--operations", "60"], seed: 1)
            var lines = 0
            let signal = try bench.run(["--operations", "60"], seed: 2) { _ in
                lines += 1
                if lines == 300 { try? FileManager.default.removeItem(atPath: bench.store) }
            }
            #expect(signal == nil)
            try bench.check()
            bench.ledger.complaints.expectNone(
                but: [.lost, .failedChange, .failedLook], "seed 1, 2: removed after 300 lines")
            bench.ledger.forgetComplaints()
            try bench.check()
            bench.ledger.complaints.expectNone("opened again")
        }
    }
}
