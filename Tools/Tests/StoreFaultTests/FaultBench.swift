import CacheTesting
import Foundation
import Glibc
import StoreStress

/// A store directory, the ledger of what was done to it, and the ways to do it.
final class FaultBench {
    /// Whether this is the long form, of `make test-faults`.
    static let isLong = number("LARDER_ROUNDS") != nil

    /// From the environment, so that a failure can be had again: LARDER_FAULT_SEED.
    static let seed = number("LARDER_FAULT_SEED") ?? 1

    static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    private let directory: TemporaryDirectory
    var folder: String { directory.path }
    var ledger = Ledger()
    private var runs: UInt64 = 0

    var store: String { directory.store }

    init() throws {
        // In memory where there is room: a death loses nothing that the system has taken, wherever it keeps it.
        var status = statvfs()
        let hasMemory = statvfs("/dev/shm", &status) == 0 && UInt64(status.f_bavail) * UInt64(status.f_frsize) > 1 << 30
        directory = try TemporaryDirectory(in: hasMemory ? "/dev/shm" : nil)
    }

    /// The arguments of a process that has versions of its own.
    func arguments(_ more: [String], seed: UInt64, directory: String? = nil) -> [String] {
        runs += 1
        let memory = Self.number("LARDER_STRESS_MEMORY").map { ["--memory", "\($0)"] } ?? []
        return [directory ?? store, "--run", "\(runs)", "--seed", "\(seed)"] + memory + more
    }

    /// Runs one process to its end, or kills it at a line.
    ///
    /// - Returns: The signal that ended it.
    @discardableResult
    func run(
        _ more: [String], seed: UInt64, faults: [String: String] = [:], killAtLine: Int? = nil,
        onLine: (String) throws -> Void = { _ in }
    ) throws -> Int32? {
        let pipe = try LinePipe()
        let faults = faults.isEmpty ? faults : faults.merging(["ROOT": store]) { $1 }
        let process = try StressProcess(arguments(more, seed: seed), faults: faults, into: pipe)
        pipe.sealed()
        var lines = 0
        while let line = try pipe.next() {
            ledger.take(line)
            lines += 1
            if lines == killAtLine { process.signal(SIGKILL) }
            try onLine(line)
        }
        let signal = process.wait()
        ledger.died("A")
        return signal
    }

    /// Starts processes that write to one pipe; their names are A, B and so on.
    func start(_ all: [[String]], faults: [String: String] = [:], seed: UInt64, into pipe: LinePipe) throws
        -> [StressProcess]
    {
        try all.enumerated().map { number, more in
            let name = String(UnicodeScalar(UInt8(65 + number)))
            let arguments = arguments(["--name", name] + more, seed: seed + UInt64(number) * 7_919)
            // Only the first of them suffers.
            let faults = number > 0 || faults.isEmpty ? [:] : faults.merging(["ROOT": store]) { $1 }
            return try StressProcess(arguments, faults: faults, into: pipe)
        }
    }

    /// Opens the store, or a copy, without changing anything but a probe: is everything there, and whole?
    func check(_ more: [String] = [], directory: String? = nil) throws {
        let pipe = try LinePipe()
        let quiet = ["--operations", "0", "--reads", "0"]
        let process = try StressProcess(arguments(quiet + more, seed: 0, directory: directory), into: pipe)
        pipe.sealed()
        var last = ""
        while let line = try pipe.next() {
            ledger.take(line)
            last = line
        }
        if let signal = process.wait() { ledger.take("A ended by signal \(signal) after \(last)") }
    }

    /// Takes the test off the threads that run tasks, which are few: it waits for processes. It stays in its task, by
    /// which issues are known to be its own.
    static func waiting(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withTaskExecutorPreference(ThreadPerJob()) { try work() }
    }

    private final class ThreadPerJob: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }
}
