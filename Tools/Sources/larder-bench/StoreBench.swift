import Foundation
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// The tiers of the store beside plain files, in one run: what a look-up with its content costs, and what storing does.
struct StoreBench {
    struct Row: Encodable {
        var name: String
        var entries: Int
        /// Of one operation, in microseconds; of all of them, where it says so, in milliseconds.
        var median: Double
        var p99: Double?
        var unit: String
    }

    /// Bytes of each body of the tables of look-ups.
    private static let bodyLength = 12_288
    private static let reads = 20_000

    private let entries: Int
    private let folder: String

    init(entries: Int, folder: String) {
        self.entries = entries
        self.folder = folder
    }

    func measure(progress: (String) -> Void) async throws -> [Row] {
        var rows: [Row] = []
        let store = folder + "/store"
        progress("storing \(entries) responses")
        try await fill(try DiskResponseStore(directory: store, budget: Self.budget, durability: .process))
        progress("writing \(entries) files")
        try fillFiles()
        progress("opening")
        rows += try await opening(store)
        progress("looking up")
        rows += try await reading(store)
        progress("storing 2,000 of web-like sizes")
        rows += try await storing()
        return rows
    }

    private static let budget = StoreBudget(total: .mebibytes(1 << 20))

    private static func key(_ number: Int) -> CacheKey {
        CacheKey(uri: "https://bench.test/assets/app.\(String(number, radix: 16)).js?number=\(number)")
    }

    private static func response() -> StoredResponse {
        let now = WallInstant(unixSeconds: 1_790_000_000)
        return StoredResponse(
            status: .ok,
            fields: [
                .date: HTTPDate.print(now), .contentType: "text/javascript; charset=utf-8",
                .contentLength: "12288", .cacheControl: "public, max-age=31536000, immutable",
                .eTag: "\"5d8c72a5edda8d6a\"", .lastModified: HTTPDate.print(now + .seconds(-86_400)),
                .vary: "Accept-Encoding", .contentEncoding: "br", .server: "nginx", .acceptRanges: "bytes",
                .strictTransportSecurity: "max-age=63072000",
            ], requestTime: now, responseTime: now)
    }

    /// Bytes of its own for each number, so that none is shared.
    private static func body(_ number: Int, _ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: max(8, count))
        withUnsafeBytes(of: number) { bytes.replaceSubrange(0..<8, with: $0) }
        return bytes
    }

    private func fill(_ store: DiskResponseStore) async throws {
        for start in stride(from: 0, to: entries, by: 512) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in start..<min(entries, start + 512) {
                    group.addTask { try await Self.put(store, number, Self.bodyLength) }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func put(_ store: DiskResponseStore, _ number: Int, _ length: Int) async throws {
        let pending = store.makePendingBody()
        try pending.append(body(number, length))
        _ = try await store.commit(pending, key: key(number), response: response())
    }

    private func path(_ number: Int) -> String { "\(folder)/files/\(number % 256)/\(number)" }

    private func fillFiles() throws {
        for number in 0..<256 {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/files/\(number)", withIntermediateDirectories: true)
        }
        let head = [UInt8](repeating: 0x61, count: 480)
        for number in 0..<entries {
            let file = open(path(number), O_CREAT | O_WRONLY, 0o600)
            defer { close(file) }
            let bytes = head + Self.body(number, Self.bodyLength)
            guard bytes.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == bytes.count else {
                throw CocoaError(.fileWriteUnknown)
            }
        }
    }

    private func opening(_ directory: String) async throws -> [Row] {
        var times: [Double] = []
        for round in 0..<5 {
            let start = DispatchTime.now().uptimeNanoseconds
            let store = try DiskResponseStore(directory: directory, budget: Self.budget)
            _ = try await store.entries(for: Self.key(round * 7 % entries))
            times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6)
        }
        return [Row(name: "opening to the first hit", entries: entries, median: times.sorted()[2], unit: "ms")]
    }

    private func reading(_ directory: String) async throws -> [Row] {
        var random = SystemRandomNumberGenerator()
        let numbers = (0..<Self.reads).map { _ in Int.random(in: 0..<entries, using: &random) }
        let disk = try DiskResponseStore(directory: directory, memoryBudget: .zero, budget: Self.budget)
        let first = try await times(numbers) { try await disk.entries(for: Self.key($0)).first?.inlineBody?.count }
        let second = try await times(numbers) { try await disk.entries(for: Self.key($0)).first?.inlineBody?.count }
        let file = try await times(numbers) { number in
            let file = open(path(number), O_RDONLY)
            defer { close(file) }
            var status = stat()
            guard fstat(file, &status) == 0 else { return nil }
            return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
                count = pread(file, buffer.baseAddress, buffer.count, 0)
            }.count
        }
        let warm = try DiskResponseStore(directory: directory, memoryBudget: .mebibytes(64), budget: Self.budget)
        let hot = numbers.map { $0 % min(entries, 1_000) }
        for number in Set(hot) { _ = try await warm.entries(for: Self.key(number)) }
        let memory = try await times(hot) { warm.cachedEntries(for: Self.key($0))?.first?.inlineBody?.count }
        return [
            row("memory tier, 12 KB", memory), row("disk tier, 12 KB, place known", second),
            row("disk tier, 12 KB, first time for the key", first), row("plain file, 12 KB", file),
        ]
    }

    /// Microseconds of each operation, with the making of its key.
    private func times(_ numbers: [Int], _ work: (Int) async throws -> Int?) async throws -> [Double] {
        var times: [Double] = []
        times.reserveCapacity(numbers.count)
        for number in numbers {
            let start = DispatchTime.now().uptimeNanoseconds
            guard let count = try await work(number), count >= Self.bodyLength else {
                throw CocoaError(.fileReadUnknown)
            }
            times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000)
        }
        return times.sorted()
    }

    private func row(_ name: String, _ times: [Double]) -> Row {
        Row(
            name: name, entries: entries, median: times[times.count / 2], p99: times[times.count * 99 / 100],
            unit: "µs")
    }

    /// 2,000 responses, log-normal with a median of 12 KB and a mean of 40, durable at the end.
    private func storing() async throws -> [Row] {
        let lengths = (0..<2_000).map { number -> Int in
            let uniform = (Double(number) + 0.5) / 2_000
            // Quantiles of the normal distribution by the logistic one, which is near enough for sizes.
            let normal = log(uniform / (1 - uniform)) / 1.702
            return min(2_000_000, Int(12_288 * exp(1.55 * normal)))
        }.shuffled()
        let store = try DiskResponseStore(directory: folder + "/new", budget: Self.budget)
        var start = DispatchTime.now().uptimeNanoseconds
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, length) in lengths.enumerated() {
                if number >= 64 { _ = try await group.next() }
                group.addTask { try await Self.put(store, number, length) }
            }
            try await group.waitForAll()
        }
        let ours = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
        try FileManager.default.createDirectory(atPath: folder + "/plain", withIntermediateDirectories: true)
        start = DispatchTime.now().uptimeNanoseconds
        for (number, length) in lengths.enumerated() {
            let file = open("\(folder)/plain/\(number)", O_CREAT | O_WRONLY, 0o600)
            let bytes = Self.body(number, length)
            guard bytes.withUnsafeBytes({ write(file, $0.baseAddress, $0.count) }) == bytes.count else {
                throw CocoaError(.fileWriteUnknown)
            }
            close(file)
        }
        sync()
        let plain = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
        return [
            Row(name: "storing 2,000, all durable", entries: 2_000, median: ours, unit: "ms"),
            Row(name: "2,000 plain files, one sync at the end", entries: 2_000, median: plain, unit: "ms"),
        ]
    }
}
