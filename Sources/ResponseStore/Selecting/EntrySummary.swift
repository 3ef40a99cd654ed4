import HTTPCacheSemantics

/// A stored response as described by the index, without reading its head or its content.
package struct EntrySummary: Hashable, Sendable {
    package var id: StoredEntry.ID
    package var key: CacheKey
    /// Type and subtype in lower case; `nil` if the response has none.
    package var contentType: String?
    /// When it was stored or last validated.
    package var storedAt: WallInstant
    /// When it was last used, exact to a day; ``storedAt`` if it was not used since.
    package var lastUsed: WallInstant
    /// Its uses, as far as they count for eviction, including the request for which it was stored.
    package var uses: Int
    /// The number of its pins.
    package var pins: Int
    /// Its size in the store, including its head; a body that several entries share counts for each.
    package var size: ByteCount
    /// The length of the content in its stored coding.
    package var bodyLength: ByteCount
    /// See `StoredResponse.tags`, sorted.
    package var tags: [String]
    /// See `StoredResponse.expires`.
    package var expires: WallInstant?
}
