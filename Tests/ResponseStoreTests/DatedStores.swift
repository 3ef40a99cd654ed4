import CacheTesting
import Foundation
import HTTPCacheSemantics
import Locking

@testable import ResponseStore

/// A suite whose stores share one directory and a clock of whole days.
protocol DatedStores {
    var directory: TemporaryDirectory { get }
    /// Days since ``Samples/time``, the noon of the day on which the samples were stored.
    var days: LockedBox<Int> { get }
}

extension DatedStores {
    func open(_ budget: StoreBudget = StoreBudget()) throws -> DiskResponseStore {
        let days = days
        return try DiskResponseStore(
            directory: directory.store, budget: budget, durability: .process,
            wallTime: { Samples.time + .seconds(days.withLock { $0 } * 86_400) })
    }

    func put(
        _ store: DiskResponseStore, _ path: String, _ body: [UInt8], partition: String = "", tags: [String] = [],
        expires: Duration? = nil
    ) async throws {
        var response = Samples.response("v1")
        (response.tags, response.expires) = (tags, expires.map { Samples.time + $0 })
        let pending = try store.makePendingBody()
        try pending.append(body)
        var key = Samples.key(path)
        key.partition = partition
        _ = try await store.commit(pending, key: key, response: response)
    }

    /// Whether any file of the store has these bytes.
    func isOnDisk(_ text: String) throws -> Bool {
        let needle = Data(text.utf8)
        return try directory.files().contains { name in
            try Data(contentsOf: URL(fileURLWithPath: directory.store + "/" + name)).range(of: needle) != nil
        }
    }
}
