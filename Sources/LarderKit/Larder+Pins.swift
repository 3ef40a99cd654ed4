import CacheEngine
import Foundation
import HTTPCacheSemantics
import struct HTTPCacheSemantics.ByteCount  // Darwin has one too.
import ResponseStore

/// Pinned responses stay when space is needed.
extension Larder {
    /// Protects the responses under a URL for the current ``account``, and their later
    /// replacements, from eviction. They can still be removed. Pinning them again changes nothing.
    ///
    /// - Returns: Whether anything is stored there. Where nothing is, nothing is pinned.
    /// - Throws: `EngineError` for what is no http or https URL, `StoreError` when the store can't be read or written.
    @discardableResult
    public func pin(_ url: URL) async throws -> Bool {
        guard let key = try await settledKey(url) else { return false }
        let stored = try await store.summaries(of: EntrySelection(of: key), after: nil, limit: 1)
        if !stored.isEmpty { try await store.pin([key], for: Self.pinHolder) }
        return !stored.isEmpty
    }

    /// Lets what is stored under a URL for the current ``account`` be evicted again when space is needed.
    ///
    /// - Throws: As ``pin(_:)``.
    public func unpin(_ url: URL) async throws {
        guard let key = try await settledKey(url) else { return }
        try await store.unpin([key], for: Self.pinHolder)
    }

    private static let pinHolder = "app"

    /// The key of a URL, once what has wholly arrived under it is stored.
    private func settledKey(_ url: URL) async throws -> CacheKey? {
        guard let key = cache.key(for: engineRequest(try .init(getting: url))) else { return nil }
        await cache.waitForCommits(key)
        return key
    }
}

/// How much a ``Larder`` holds.
public struct LarderUsage: Hashable, Sendable {
    /// The number of stored responses.
    public var responses: Int
    /// The bytes of their content, equal content counted once.
    public var content: ByteCount
    /// The bytes of the store's files on the disk, index and heads included: the figure for users.
    public var onDisk: ByteCount
}
