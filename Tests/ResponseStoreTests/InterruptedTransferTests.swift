import CacheTesting
import Foundation
import HTTPCacheSemantics
import Testing

@testable import ResponseStore

/// Files as a killed process leaves them: renamed to one that does not exist.
@Suite("What was on its way when a process was killed")
struct InterruptedTransferTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let total: Int64 = 8_000_000
    private static let sent = 1_200_000

    private func open() throws -> DiskResponseStore {
        try DiskResponseStore(directory: directory.store, durability: .process, wallTime: { Samples.time })
    }

    /// A body on its way, of which some bytes have come.
    private static func begin(
        _ store: DiskResponseStore, _ label: String = "v1", from start: Int64 = 0, count: Int = sent,
        since mark: StoreMark? = nil
    ) throws -> any PendingBody {
        let pending = try store.makePendingBody()
        pending.keepWhenKilled(Samples.key("film"), since: mark ?? store.mark()) { length in
            var response = Samples.response(label)
            response.extent = .partial([start..<start + length], completeLength: total)
            return response
        }
        for piece in stride(from: 0, to: Int64(count), by: 500_000) {
            try pending.append(PatternedContent.octets(start + piece..<start + min(piece + 500_000, Int64(count))))
        }
        return pending
    }

    private var incoming: [String] { directory.files(in: "store/incoming").sorted() }

    /// Renames what is on its way as if its process had been killed.
    private func kill() throws {
        let folder = directory.store + "/incoming/"
        for name in incoming where !name.hasPrefix("999999999.") {
            let left = "999999999.x." + name.split(separator: ".").dropFirst(2).joined(separator: ".")
            try FileManager.default.moveItem(atPath: folder + name, toPath: folder + left)
        }
    }

    private static func parts(_ store: DiskResponseStore) async throws -> [Range<Int64>]? {
        guard let entry = try await store.entries(for: Samples.key("film")).first else { return nil }
        let content = try await store.open(entry)
        for part in entry.response.extent.parts ?? [] {
            for region in try #require(entry.response.extent.regions(of: part)) {
                #expect(try content.read(from: region.lowerBound, upTo: region.count) == PatternedContent.octets(part))
            }
        }
        let problems = try await store.verify().problems
        #expect(problems.isEmpty, "\(problems)")
        return entry.response.extent.parts
    }

    @Test("goes on where it was, twice, and leaves no file")
    func goesOn() async throws {
        let first = try Self.begin(try open())
        #expect(incoming.count == 2)
        try kill()
        let second = try open()
        #expect(incoming.count == 2, "opening leaves it there")
        await second.recoverInterrupted()
        #expect(try await Self.parts(second) == [0..<Int64(Self.sent)])
        #expect(incoming.isEmpty)
        let rest = try Self.begin(second, from: Int64(Self.sent))
        try kill()
        // As if that process had ended.
        try await second.index.pool.write { try $0.execute(sql: "UPDATE body SET writer = '999999999.x.y'") }
        let third = try open()
        _ = try await third.performMaintenance(at: Samples.time)
        #expect(try await Self.parts(third) == [0..<Int64(2 * Self.sent)])
        #expect(incoming.isEmpty && directory.files(in: "store/bodies").count == 1)
        withExtendedLifetime((first, rest)) {}
    }

    @Test("a body that is stored or given up leaves no note")
    func noNote() async throws {
        let store = try open()
        let stored = try Self.begin(store)
        var response = Samples.response("v1")
        response.extent = .partial([0..<Int64(Self.sent)], completeLength: Self.total)
        _ = try await store.commit(stored, key: Samples.key("film"), response: response)
        #expect(incoming.isEmpty)
        try Self.begin(store).giveUp()
        #expect(incoming.isEmpty)
        _ = try Self.begin(store, count: 900_000)
        #expect(incoming.isEmpty, "a short one has none, and nobody holds it")
    }

    enum Event: CaseIterable {
        case removedByKey, removedAll, invalidated, otherRelease, whole, otherRun, cutNote, changedNote, noNote,
            shortBody
        case longBody, anotherLog
    }

    @Test("nothing comes back that was removed, is another one, or can't be known", arguments: Event.allCases)
    func nothing(_ event: Event) async throws {
        let first = try open()
        let key = Samples.key("film")
        if event == .whole { try await first.put([1], "film", "v1") }
        if event == .otherRelease {
            var response = Samples.response("v2")
            response.extent = .partial([0..<100_000], completeLength: Self.total)
            let other = try first.makePendingBody()
            try other.append([UInt8](repeating: 7, count: 100_000))
            _ = try await first.commit(other, key: key, response: response)
        }
        let pending = try Self.begin(first)
        try kill()
        let folder = directory.store + "/incoming/"
        let body = try #require(incoming.first { !$0.hasSuffix(".head") })
        let note = folder + body + ".head"
        let second = try open()
        switch event {
        case .removedByKey: _ = try await second.remove(EntrySelection(uri: key.uri, partition: key.partition))
        case .removedAll: _ = try await second.remove(.everything)
        case .invalidated: try await second.removeEntries(for: key)
        case .otherRelease, .whole: break
        case .otherRun, .cutNote, .changedNote:
            var bytes = [UInt8](try #require(FileManager.default.contents(atPath: note)))
            switch event {
            case .otherRun: bytes[6] ^= 1
            case .cutNote: bytes.removeLast(9)
            default: bytes[bytes.count - 20] ^= 1
            }
            try Data(bytes).write(to: URL(fileURLWithPath: note))
        case .noNote: try FileManager.default.removeItem(atPath: note)
        case .shortBody: #expect(truncate(folder + body, 0) == 0)
        case .longBody: #expect(truncate(folder + body, off_t(Self.total + 1)) == 0)
        case .anotherLog:
            let log = directory.store + "/changes"
            try FileManager.default.copyItem(atPath: log, toPath: log + ".new")
            try FileManager.default.removeItem(atPath: log)
            try FileManager.default.moveItem(atPath: log + ".new", toPath: log)
        }
        if event == .removedAll { #expect(incoming.isEmpty, "it is gone when the removal returns") }
        let third = try open()
        await third.recoverInterrupted()
        let found = try await third.entries(for: key)
        switch event {
        case .otherRelease: #expect(found.map(\.response.fields[.eTag]) == ["\"v2\""])
        case .whole: #expect(found.map(\.response.extent) == [.complete])
        default: #expect(found.isEmpty)
        }
        #expect(incoming.isEmpty)
        #expect(try await third.verify().problems.isEmpty)
        withExtendedLifetime(pending) {}
    }

    @Test("two processes that open the store at once keep it once")
    func twoAtOnce() async throws {
        let pending = try Self.begin(try open())
        try kill()
        let stores = try (0..<4).map { _ in try open() }
        await withTaskGroup(of: Void.self) { group in
            for store in stores { group.addTask { await store.recoverInterrupted() } }
        }
        #expect(try await Self.parts(stores[0]) == [0..<Int64(Self.sent)])
        #expect(incoming.isEmpty && directory.files(in: "store/bodies").count == 1)
        withExtendedLifetime(pending) {}
    }
}
