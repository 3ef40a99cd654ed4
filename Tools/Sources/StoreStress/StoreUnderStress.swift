import Foundation
import HTTPCacheSemantics
import ResponseStore

/// The one place that knows which store is under stress, and what it offers beyond ``ResponseStorage``.
package struct StoreUnderStress: Sendable {
    /// How many bytes of files the store may keep beyond its bodies, outside its index.
    package static let slack: Int64 = 4 * 1_048_576

    package let storage: any ResponseStorage
    private let store: DiskResponseStore

    package init(_ options: StressOptions) throws {
        let budget = options.memory.map { ByteCount($0) } ?? DiskResponseStore.defaultMemoryBudget
        let store = try DiskResponseStore(directory: options.directory, memoryBudget: budget)
        self.store = store
        storage = options.fault.map { BrokenStorage(store, $0) } ?? store
    }

    /// Makes every acknowledged change durable.
    ///
    /// - Returns: Whether there is such a call. Where there is none, a loss of power may take the last changes.
    package func flush() async throws -> Bool {
        try await store.flush()
        return true
    }

    /// Removes files that a crash left behind, and that no entry names.
    package func cleanUp() async throws { try await store.removeOrphans() }

    /// The problems that `larder store verify` finds, one sentence each.
    package func verify() async throws -> [String] { try await store.verify().problems.map(\.description) }

    /// The space that all files in the directory take but those of the index, in bytes.
    package static func bytesBesideIndex(in directory: String) -> Int64 {
        guard let files = FileManager.default.enumerator(atPath: directory) else { return 0 }
        var sum: Int64 = 0
        while let path = files.nextObject() as? String {
            guard !path.hasPrefix("index.sqlite"), let attributes = files.fileAttributes,
                attributes[.type] as? FileAttributeType == .typeRegular
            else { continue }
            var status = stat()
            if stat("\(directory)/\(path)", &status) == 0 { sum += Int64(status.st_blocks) * 512 }
        }
        return sum
    }
}
