import Foundation
import HTTPCacheSemantics
import ResponseStore

/// The findings of a look at everything in a store.
package struct StoreReport: Encodable, Sendable {
    package struct Problem: Encodable, Sendable {
        /// The URL of the response; `nil` where it is not about one.
        package var url: String?
        package var message: String
    }

    package var directory: String
    package var entries: Int
    package var bodies: Int
    /// Heads and bodies.
    package var bytes: Int64
    package var problems: [Problem]

    /// All of it in one sentence.
    package var summary: String {
        let found =
            problems.isEmpty ? "nothing wrong" : problems.count == 1 ? "one problem" : "\(problems.count) problems"
        return "\(entries) entries, \(bodies) bodies, \(ByteCount(bytes)): \(found)"
    }

    /// - Parameter start: The time now.
    /// - Throws: ``HostError`` where there is no store, `StoreError` where it can't be opened or read.
    package static func verify(directory: String, at start: WallInstant) async throws -> StoreReport {
        let store = try StoreDirectory.open(directory)
        let found = try await store.verify()
        let loss = await store.newBeginning(since: start)
        return StoreReport(
            directory: directory, entries: found.entries, bodies: found.bodies, bytes: found.bytes.bytes,
            problems: (loss.map { [Problem(message: $0)] } ?? [])
                + found.problems.map { Problem(url: $0.uri, message: $0.message) })
    }
}
