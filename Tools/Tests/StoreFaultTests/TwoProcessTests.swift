import CacheTesting
import Foundation
import Glibc
import StoreStress
import Testing

@Suite("Two processes on one directory: each finds what the other has stored")
struct TwoProcessTests {
    /// Rounds of each kind: LARDER_ROUNDS, 4 unless it is set.
    static let rounds = FaultBench.number("LARDER_ROUNDS") ?? 4

    static let disjoint = [
        ["--all-workers", "4", "--workers", "2", "--skips-observation", "yes"],
        ["--all-workers", "4", "--workers", "2", "--first-worker", "2", "--skips-observation", "yes"],
    ]
    static let shared = Array(
        repeating: ["--all-workers", "2", "--workers", "2", "--shares-keys", "yes", "--skips-observation", "yes"],
        count: 2)
    static let forEver = ["--operations", "1000000", "--reads", "1000000"]

    @Test("no look-up finds what was replaced or removed before it began", arguments: [false, true])
    func findsTheNewest(_ sharesKeys: Bool) async throws {
        try await FaultBench.waiting {
            for round in 0..<Self.rounds {
                let bench = try FaultBench()
                bench.ledger.hasSharedKeys = sharesKeys
                let seed = UInt64(FaultBench.seed * 100 + round)
                let pipe = try LinePipe()
                let work = ["--operations", "150", "--reads", "500"]
                let processes = try bench.start(
                    (sharesKeys ? Self.shared : Self.disjoint).map { $0 + work }, seed: seed, into: pipe)
                pipe.sealed()
                while let line = try pipe.next() {
                    bench.ledger.take(line)
                    if FaultBench.isLong, line.contains(" took ") {
                        print("look-ups beside another's writer, p50 p99 max: \(line)")
                    }
                }
                for process in processes { #expect(process.wait() == nil) }
                bench.ledger.complaints.expectNone("seed \(FaultBench.seed), round \(round), shared: \(sharesKeys)")
                bench.ledger.forgetComplaints()
                try bench.check(["--clears-at-end", "yes"])
                bench.ledger.complaints.expectNone("seed \(FaultBench.seed), round \(round): opened again")
            }
        }
    }

    @Test("a process that goes on serving what another one has replaced is found out")
    func noticesStaleReaders() async throws {
        try await FaultBench.waiting {
            // The two need not be at work at the same time, so it may take a few runs.
            var isFound = false
            for seed in 1...100 where !isFound {
                let bench = try FaultBench()
                let pipe = try LinePipe()
                let work = ["--operations", "60", "--reads", "300", "--memory", "0"]
                let arguments = [Self.disjoint[0] + work, Self.disjoint[1] + work + ["--fault", "stale"]]
                let processes = try bench.start(arguments, seed: UInt64(seed), into: pipe)
                try bench.drain(pipe)
                for process in processes { _ = process.wait() }
                isFound = bench.ledger.complaints.contains { $0.kind == .old && $0.text.contains(": B > ") }
            }
            #expect(isFound)
        }
    }

    @Test("one is killed again and again while the other works")
    func oneDies() async throws {
        try await FaultBench.waiting {
            let bench = try FaultBench()
            let seed = UInt64(FaultBench.seed)
            bench.ledger.hasSharedKeys = true
            var random = SplitMix64(seed: seed)
            let pipe = try LinePipe()
            let survivor = try bench.start([Self.shared[0] + Self.forEver], seed: seed, into: pipe)
            for _ in 0..<Self.rounds * 3 {
                let arguments = ["--name", "B"] + Self.shared[1] + Self.forEver
                let victim = try StressProcess(
                    bench.arguments(arguments, seed: random.next() % 9_999), into: pipe)
                try bench.read(pipe, until: "B", says: Int(random.next() % 600) + 1)
                victim.signal(SIGKILL)
                _ = victim.wait()
                try bench.readBacklog(pipe)
                bench.ledger.died("B")
                // Time to find what it left.
                try bench.read(pipe, until: "A", says: 200)
            }
            for process in survivor { process.signal(SIGKILL) }
            try bench.drain(pipe)
            for process in survivor { _ = process.wait() }
            bench.ledger.died("A")
            bench.ledger.complaints.expectNone("seed \(FaultBench.seed)")
            bench.ledger.forgetComplaints()
            try bench.check(["--all-workers", "2"])
            bench.ledger.complaints.expectNone("seed \(FaultBench.seed): opened again")
        }
    }

    @Test(
        "one is suspended in the middle of a change, perhaps with a lock: the other goes on reading",
        .enabled(if: FaultBench.isLong, "make test-faults alone: each wait for a lock takes seconds"))
    func oneIsSuspended() async throws {
        try await FaultBench.waiting {
            var random = SplitMix64(seed: UInt64(FaultBench.seed))
            for round in 0..<Self.rounds {
                let bench = try FaultBench()
                bench.ledger.hasSharedKeys = true
                let place = random.next() % 200 + 40
                let pipe = try LinePipe()
                // The other one first, or it might not get to open the store: that has a test of its own.
                let other = try StressProcess(
                    bench.arguments(["--name", "B"] + Self.shared[1] + Self.forEver, seed: random.next() % 9_999),
                    into: pipe)
                try bench.read(pipe, until: "B", says: 20)
                let processes =
                    try bench.start(
                        [Self.shared[0] + Self.forEver], faults: ["STOP_AT": "\(place)"], seed: random.next() % 9_999,
                        into: pipe) + [other]
                try bench.readUntilStopped(processes[0], pipe)
                try bench.readBacklog(pipe)
                let failed = bench.ledger.failed
                try bench.read(pipe, until: "B", says: 1_000)
                let blocked = bench.ledger.failed - failed
                print("suspended at change \(place): \(blocked) changes of the other failed meanwhile")
                processes[0].signal(SIGCONT)
                let before = bench.ledger.acknowledgedBy
                func hasMore(_ name: Character) -> Bool {
                    bench.ledger.acknowledgedBy[name, default: 0] >= before[name, default: 0] + 20
                }
                while !hasMore("A") || !hasMore("B"), let line = try pipe.next() { bench.ledger.take(line) }
                for process in processes { process.signal(SIGKILL) }
                try bench.drain(pipe)
                for process in processes { _ = process.wait() }
                ["A", "B"].forEach { bench.ledger.died($0) }
                bench.ledger.complaints.expectNone(
                    but: [.failedChange], "seed \(FaultBench.seed), round \(round), stopped at change \(place)")
                bench.ledger.forgetComplaints()
                try bench.check(["--all-workers", "2"])
                bench.ledger.complaints.expectNone("seed \(FaultBench.seed), round \(round): opened again")
            }
        }
    }

    @Test(
        "a directory can be opened while another process that uses it is suspended",
        .enabled(if: FaultBench.isLong, "make test-faults alone: each wait for a lock takes seconds"))
    func opensBesideSuspended() async throws {
        try await FaultBench.waiting {
            var random = SplitMix64(seed: UInt64(FaultBench.seed) &+ 1)
            for _ in 0..<Self.rounds {
                let bench = try FaultBench()
                bench.ledger.hasSharedKeys = true
                // Making the index takes the first sixty or so; before it is there, there is nothing to open.
                let place = random.next() % 200 + 100
                let pipe = try LinePipe()
                let first = try bench.start(
                    [Self.shared[0] + ["--operations", "1000", "--reads", "0"]], faults: ["STOP_AT": "\(place)"],
                    seed: 1,
                    into: pipe)
                first[0].waitUntilStopped()
                let second = try StressProcess(
                    bench.arguments(
                        ["--name", "B"] + Self.shared[1] + ["--workers", "0", "--reads", "200"], seed: 2), into: pipe)
                var last = ""
                while !["B done", "B unopened"].contains(where: { last.hasPrefix($0) }), let line = try pipe.next() {
                    bench.ledger.take(line)
                    last = line
                }
                #expect(second.wait() == nil)
                first[0].signal(SIGKILL)
                _ = first[0].wait()
                try bench.drain(pipe)
                ["A", "B"].forEach { bench.ledger.died($0) }
                #expect(bench.ledger.looksBy["B"] ?? 0 == 200, "stopped at change \(place)")
                bench.ledger.complaints.expectNone("seed \(FaultBench.seed), stopped at change \(place)")
            }
        }
    }
}

extension FaultBench {
    /// Takes lines until one process has said so many.
    fileprivate func read(_ pipe: LinePipe, until name: Character, says count: Int) throws {
        var count = count
        while count > 0, let line = try pipe.next() {
            ledger.take(line)
            if line.first == name { count -= 1 }
        }
    }

    /// Takes what was said before this moment.
    fileprivate func readBacklog(_ pipe: LinePipe) throws {
        let end = pipe.taken + pipe.backlog
        while pipe.taken < end, let line = try pipe.next() { ledger.take(line) }
    }

    /// What is left, when no process is running any more.
    fileprivate func drain(_ pipe: LinePipe) throws {
        pipe.sealed()
        while let line = try pipe.next() { ledger.take(line) }
    }

    /// Takes lines, so that no process waits for room in the pipe, until one has stopped itself.
    fileprivate func readUntilStopped(_ process: StressProcess, _ pipe: LinePipe) throws {
        while !process.isStopped, let line = try pipe.next() { ledger.take(line) }
    }
}
