import CacheTesting
import Foundation
import Glibc
import StoreStress
import Testing

@Suite("A process that dies at any instant leaves the old entry or the new one, whole")
struct KillTests {
    static let lanes = 4
    /// SIGKILLs in all: LARDER_KILLS, 100 unless it is set.
    static let kills = FaultBench.number("LARDER_KILLS") ?? 100

    /// Each lane has a directory that grows old: hundreds of lives and deaths, never cleared before the end.
    @Test("killed under load, from outside at a random line and from inside at a random change", arguments: 0..<lanes)
    func killed(_ lane: Int) async throws {
        try await FaultBench.waiting {
            let bench = try FaultBench()
            var random = SplitMix64(seed: UInt64(FaultBench.seed * 1_000 + lane))
            var deaths = 0
            var life = 0
            while deaths < (Self.kills + Self.lanes - 1) / Self.lanes, bench.ledger.complaints.isEmpty {
                life += 1
                let seed = random.next() % 1_000_000
                // An opening takes some hundred lines and few changes; half of those deaths are in what follows.
                let line = life % 2 == 0 ? Int(random.next() % 900) + 1 : nil
                let faults = line == nil ? ["KILL_AT": "\(random.next() % 500 + 1)"] : [:]
                let signal = try bench.run(["--operations", "60"], seed: seed, faults: faults, killAtLine: line)
                if signal == SIGKILL { deaths += 1 }
                let circumstances = "seed \(FaultBench.seed), lane \(lane), life \(life): line \(line ?? 0), \(faults)"
                if let signal, signal != SIGKILL { Issue.record("ended by signal \(signal): \(circumstances)") }
                bench.ledger.complaints.expectNone(circumstances)
            }
            #expect(bench.ledger.acknowledged > deaths * 2, "too little was done to be killed in")
            guard bench.ledger.complaints.isEmpty else { return }
            try bench.check(["--clears-at-end", "yes"])
            bench.ledger.complaints.expectNone("seed \(FaultBench.seed), lane \(lane): after the last life")
        }
    }

    /// What its threads do at the same time is not the same in every run, so it may take a few to meet the mistake.
    @Test("a store that breaks a promise is found out by a few such runs", arguments: BrokenStorage.Fault.allCases)
    func noticesBrokenStores(_ fault: BrokenStorage.Fault) async throws {
        try await FaultBench.waiting {
            let expected: Set<Complaint.Kind> =
                switch fault {
                case .torn, .foreign, .mixed: [.wrongBytes]
                case .lost: [.lost, .old]
                case .kept: [.old]
                // The content of what was replaced may be gone.
                case .stale: [.old, .lost]
                }
            var kinds: Set<Complaint.Kind> = []
            for seed in 1...100 where kinds.isDisjoint(with: expected) {
                let bench = try FaultBench()
                try bench.run(
                    ["--operations", "160", "--fault", fault.rawValue], seed: UInt64(seed), killAtLine: 3_000)
                kinds.formUnion(bench.ledger.complaints.map(\.kind))
            }
            #expect(!kinds.isDisjoint(with: expected), "\(kinds)")
        }
    }
}
