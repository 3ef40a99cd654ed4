import Foundation
import HTTPCacheSemantics
import ResponseStore

/// The tiers of the store beside other ways to keep responses: what a look-up with its content costs, and what storing
/// does. Rounds take turns, so that whatever else the machine does hits all alike.
struct StoreBench {
    struct Row: Encodable {
        var name: String
        var entries: Int
        /// The time of one operation in microseconds; of all, where it says so, in milliseconds.
        var median: Double
        var p99: Double?
        var unit: String
        /// The median over that of plain files in the same run.
        var ratio: Double?
    }

    /// The measurements to make.
    struct Plan {
        var entries = 100_000
        /// Look-ups of each kind in all.
        var reads = 20_000
        /// Whether other ways are measured beside the store.
        var hasPeers = true
        var measures: Set<Measure> = Set(Measure.allCases)
    }

    enum Measure: String, CaseIterable {
        case opening, memory, reading, storing
    }

    private static let rounds = 10
    private static let budget = StoreBudget(total: .mebibytes(1 << 20))

    let plan: Plan
    /// An empty folder.
    let folder: String
    private var directory: String { folder + "/store" }

    func measure(progress: (String) -> Void) async throws -> [Row] {
        progress("storing \(plan.entries) responses")
        try await fill(try DiskResponseStore(directory: directory, budget: Self.budget, durability: .process))
        var peers: [any StorePeer] = []
        if plan.hasPeers {
            peers = [try PlainFiles(in: folder), try RawSQLite(in: folder)]
            for peer in peers {
                progress("filling \(peer.name)")
                try peer.fill(0..<min(plan.entries, peer.limit))
            }
        }
        var rows: [Row] = []
        if plan.measures.contains(.opening) {
            progress("opening")
            rows.append(try await opening())
        }
        if plan.measures.contains(.memory) {
            progress("reading much in a process with little memory")
            rows += try await resident()
        }
        if plan.measures.contains(.reading) {
            progress("looking up")
            rows += try await reading(peers)
        }
        if plan.measures.contains(.storing) {
            progress("storing 2,000 of web-like sizes")
            rows += try await storing(peers)
        }
        return rows
    }

    private func fill(_ store: DiskResponseStore) async throws {
        for start in stride(from: 0, to: plan.entries, by: 512) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in start..<min(plan.entries, start + 512) {
                    group.addTask { try await Self.put(store, number, BenchResponses.bodyLength) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func put(_ store: DiskResponseStore, _ number: Int, _ length: Int) async throws {
        let pending = try store.makePendingBody()
        try pending.append(BenchResponses.body(number, length))
        _ = try await store.commit(pending, key: BenchResponses.key(number), response: BenchResponses.response)
    }

    private func opening() async throws -> Row {
        var times: [Double] = []
        for round in 0..<9 {
            let start = DispatchTime.now().uptimeNanoseconds
            let store = try DiskResponseStore(directory: directory, budget: Self.budget)
            _ = try await store.entries(for: BenchResponses.key(round * 7 % plan.entries))
            times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
            // Closing is not what is measured.
            withExtendedLifetime(store) {}
        }
        return Row(name: "opening to the first hit", entries: plan.entries, median: times.sorted()[4], unit: "ms")
    }

    /// How much resident memory grows by when a store without a memory tier is opened and every entry read once.
    private func resident() async throws -> [Row] {
        let before = ResidentMemory.now()
        let store = try DiskResponseStore(directory: directory, memoryBudget: .zero, budget: Self.budget)
        for number in 0..<plan.entries { _ = try await store.entries(for: BenchResponses.key(number)) }
        guard let before, let after = ResidentMemory.now() else { return [] }
        return [
            Row(
                name: "memory after all were read, without a memory tier", entries: plan.entries,
                median: Double(max(0, after - before)) / 1_048_576, unit: "MiB")
        ]
    }

    // MARK: Look-ups

    private func reading(_ peers: [any StorePeer]) async throws -> [Row] {
        let hot = min(plan.entries, 1_000)
        let warm = try DiskResponseStore(directory: directory, memoryBudget: .mebibytes(64), budget: Self.budget)
        for number in 0..<hot { _ = try await warm.entries(for: BenchResponses.key(number)) }
        let disk = try DiskResponseStore(directory: directory, memoryBudget: .zero, budget: Self.budget)
        _ = try await disk.entries(for: BenchResponses.key(0))

        var times = Times()
        for _ in 0..<Self.rounds {
            let count = plan.reads / Self.rounds
            try await times.add("memory tier", count, below: hot) {
                warm.cachedEntries(for: BenchResponses.key($0))?.first?.inlineBody?.count
            }
            try await times.add("disk tier", count, below: plan.entries) {
                try await disk.entries(for: BenchResponses.key($0)).first?.inlineBody?.count
            }
            for peer in peers {
                // A peer that can't hold as many is far slower, and asked less often.
                let isSmall = peer.limit < plan.entries
                try await times.add(
                    peer.name, isSmall ? count / 50 + 1 : count, below: min(plan.entries, peer.limit), peer.read)
            }
        }
        return times.rows(entries: plan.entries, limits: peers)
    }

    /// Microseconds of each operation by its name, with the making of its key.
    private struct Times {
        private var names: [String] = []
        private var times: [String: [Double]] = [:]

        mutating func add(
            _ name: String, _ count: Int, below limit: Int, _ work: (Int) async throws -> Int?
        ) async throws {
            if times[name] == nil { names.append(name) }
            var measured: [Double] = []
            measured.reserveCapacity(count)
            for _ in 0..<count {
                let number = Int.random(in: 0..<limit)
                let start = DispatchTime.now().uptimeNanoseconds
                guard let bytes = try await work(number), bytes >= BenchResponses.bodyLength else {
                    throw PeerError(description: "\(name): number \(number) was not found whole")
                }
                measured.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000)
            }
            times[name, default: []] += measured
        }

        func rows(entries: Int, limits: [any StorePeer]) -> [Row] {
            let plain = times["plain files"].map { $0.sorted()[$0.count / 2] }
            return names.compactMap { name in
                guard let sorted = times[name]?.sorted(), !sorted.isEmpty else { return nil }
                let limit = limits.first { $0.name == name }?.limit ?? .max
                let median = sorted[sorted.count / 2]
                return Row(
                    name: "12 KB, " + name, entries: min(entries, limit), median: median,
                    p99: sorted[sorted.count * 99 / 100], unit: "µs", ratio: plain.map { median / $0 })
            }
        }
    }

    // MARK: Storing

    /// 2,000 responses, durable at the end; the middle of three turns.
    private func storing(_ peers: [any StorePeer]) async throws -> [Row] {
        let lengths = BenchResponses.webLikeLengths(2_000)
        var ours: [Double] = []
        var theirs = [[Double]](repeating: [], count: peers.count)
        for turn in 0..<3 {
            let store = try DiskResponseStore(directory: "\(folder)/new\(turn)", budget: Self.budget)
            let start = DispatchTime.now().uptimeNanoseconds
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, length) in lengths.enumerated() {
                    if number >= 64 { _ = try await group.next() }
                    group.addTask { try await Self.put(store, number, length) }
                }
                try await group.waitForAll()
            }
            ours.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
            for (place, peer) in peers.enumerated() {
                let start = DispatchTime.now().uptimeNanoseconds
                try peer.store(lengths)
                theirs[place].append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
            }
        }
        let plain = peers.firstIndex { $0.name == "plain files" }.map { theirs[$0].sorted()[1] }
        func row(_ name: String, _ times: [Double]) -> Row {
            let median = times.sorted()[1]
            return Row(
                name: "storing 2,000 durably, " + name, entries: 2_000, median: median, unit: "ms",
                ratio: plain.map { median / $0 })
        }
        return [row("the store", ours)] + zip(peers, theirs).map { row($0.name, $1) }
    }
}
