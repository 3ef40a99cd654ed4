import CacheTesting
import Foundation
import GRDB
import HTTPCacheSemantics
import Testing

@testable import ResponseStore

@Suite("A suspended store", .timeLimit(.minutes(5)))
struct SuspendingTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open() throws -> DiskResponseStore {
        try DiskResponseStore(directory: directory.store, durability: .process)
    }

    private func locked() throws -> [String] { try HeldLocks.files(in: directory.store) }

    @Test("holds no lock on any file, and has lost nothing when it resumes", .enabled(if: HeldLocks.canBeSeen))
    func locks() async throws {
        let store = try open()
        try await store.put([1], "a", "v1")
        // What the test can see at all: SQLite's locks of an open index in WAL mode.
        #expect(try locked().contains("index.sqlite"))
        for round in 1...3 as ClosedRange<UInt8> {
            try await store.suspend()
            #expect(store.isSuspended)
            #expect(try locked().isEmpty)
            // Again: it stays what it is.
            try await store.suspend()
            #expect(try locked().isEmpty)
            store.resume()
            #expect(try await store.body("a") == [round])
            try await store.put([round + 1], "a", "v\(round + 1)")
        }
        #expect(try await store.verify().problems.isEmpty)
        #expect(try locked().contains("index.sqlite"))
    }

    @Test("changes and reads wait for the resumption, and then are done in their order")
    func waiting() async throws {
        let store = try open()
        try await store.put([1], "a", "v1")
        try await store.suspend()
        #expect(store.cachedEntries(for: Samples.key("a")) == nil)
        let done = WatchedValue<[String]>([])
        let work = Task {
            // One after another: what is asked for later is done later.
            try await store.put([2], "a", "v2")
            done.update { $0.append("put") }
            try await store.put([3], "b")
            try await store.removeEntries(for: Samples.key("b"))
            done.update { $0.append("removed") }
        }
        let read = Task { try await store.body("a") }
        let usage = Task { try await store.usage().entries }
        let size = Task { try await store.diskUsage() }
        // A few turns for them to begin.
        for _ in 0..<5 { await Task.yield() }
        #expect(done.value.isEmpty)
        if HeldLocks.canBeSeen { #expect(try locked().isEmpty) }
        store.resume()
        try await work.value
        #expect(done.value == ["put", "removed"])
        let seen = try await read.value
        #expect(seen == [1] || seen == [2])
        let entries = try await usage.value
        #expect(entries == 1 || entries == 2)
        #expect(try await size.value > .zero)
        #expect(try await store.body("a") == [2])
        #expect(try await store.body("b") == nil)
    }

    @Test(
        "a response whose request left before the suspension is stored after it, unless its key was invalidated meanwhile"
    )
    func marks() async throws {
        let store = try open()
        try await store.put([0], "other")
        let mark = store.mark()
        try await store.suspend()
        store.resume()
        let (kept, dropped) = (try store.makePendingBody(), try store.makePendingBody())
        try kept.append([1])
        try dropped.append([2])
        #expect(
            try await store.commit(kept, key: Samples.key("kept"), response: Samples.response("k"), since: mark) != nil)
        try await store.suspend()
        // Another process, while this one is suspended.
        let other = try open()
        try await other.removeEntries(for: Samples.key("dropped"))
        store.resume()
        #expect(
            try await store.commit(dropped, key: Samples.key("dropped"), response: Samples.response("d"), since: mark)
                == nil)
        #expect(try await store.body("kept") == [1])
    }

    @Test("sees what another process has stored, removed or begun anew meanwhile", arguments: [false, true])
    func others(emptied: Bool) async throws {
        let store = try open()
        try await store.put([1], "a", "v1")
        #expect(try await store.body("a") == [1])
        try await store.suspend()
        if emptied { try FileManager.default.removeItem(atPath: directory.store) }
        do {
            let other = try open()
            if emptied {
                #expect(try await other.body("a") == nil)
            } else {
                try await other.put([2], "a", "v2")
            }
        }
        store.resume()
        #expect(try await store.body("a") == (emptied ? nil : [2]))
        try await store.put([3], "b")
        #expect(try await store.body("b") == [3])
        #expect(try await open().body("b") == [3])
    }

    /// Many writers and readers run while the store is suspended and resumed again and again.
    @Test("nothing fails and nothing is lost when suspensions come at any moment")
    func races() async throws {
        let store = try open()
        let (writers, each) = (8, 24)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    for number in 0..<each {
                        let name = "\(writer)/\(number)"
                        try await store.put(Samples.body(number % 5 == 0 ? 100_000 : 100, UInt8(writer)), name)
                        let body = try await store.body(name)
                        if body?.first != UInt8(writer) { Issue.record("'\(name)' is gone") }
                    }
                }
            }
            group.addTask {
                for round in 0..<60 {
                    try await store.suspend()
                    if HeldLocks.canBeSeen {
                        #expect(try HeldLocks.files(in: directory.store).isEmpty, "round \(round)")
                    }
                    store.resume()
                    await Task.yield()
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.usage().entries == writers * each)
        #expect(try await store.verify().problems.isEmpty)
        #expect(try await open().usage().entries == writers * each)
    }

    @Test("a removal of everything, maintenance and the sweep that are interrupted by it go on afterwards")
    func longWork() async throws {
        let store = try open()
        for number in 0..<600 { try await store.put([1], "\(number)") }
        async let removed = store.remove(.everything)
        async let suspended: Void = {
            for _ in 0..<20 {
                try await store.suspend()
                if HeldLocks.canBeSeen { #expect(try HeldLocks.files(in: directory.store).isEmpty) }
                store.resume()
                await Task.yield()
            }
        }()
        async let marked = store.performMaintenance(at: Samples.time)
        async let swept = store.removeOrphans()
        #expect(try await removed.entries == 600)
        _ = try await (suspended, marked, swept)
        #expect(try await store.usage().entries == 0)
        #expect(try await store.verify().problems.isEmpty)
    }

    @Test("a resumption that comes before the last transaction is over leaves the store in use")
    func resumedAtOnce() async throws {
        let store = try open()
        try await store.put([1], "a")
        for _ in 0..<50 {
            async let suspended: Void = store.suspend()
            store.resume()
            try await suspended
            store.resume()
            #expect(try await store.body("a") == [1])
        }
    }

    @Test("a store that can only be read lets go of its locks as well", .enabled(if: UnwritableDirectory.isPossible))
    func readOnly() async throws {
        do {
            let store = try open()
            try await store.put([1], "a")
            try store.index.close()
        }
        let place = try UnwritableDirectory(of: directory.store)
        let store = try DiskResponseStore(directory: place.path, durability: .process)
        #expect(store.isReadOnly)
        #expect(try await store.body("a") == [1])
        try await store.suspend()
        if HeldLocks.canBeSeen { #expect(try locked().isEmpty) }
        store.resume()
        #expect(try await store.body("a") == [1])
        #expect(store.isReadOnly)
        try place.allowWriting()
    }
}

extension DiskResponseStore {
    /// Suspends it on a thread of its own, as a task may not wait.
    fileprivate func suspend() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { continuation.resume(with: Result { try self.suspendAndWait() }) }
        }
    }
}
