import HTTPCacheSemantics

/// A stored response as described by the index, without reading its head or its content.
public struct EntrySummary: Hashable, Sendable {
    public var id: StoredEntry.ID
    public var key: CacheKey
    /// Type and subtype in lower case; `nil` if the response has none.
    public var contentType: String?
    /// When it was stored or last validated.
    public var storedAt: WallInstant
    /// When it was last used, exact to a day; ``storedAt`` if it was not used since.
    public var lastUsed: WallInstant
    /// Its uses, as far as they count for eviction, including the request for which it was stored.
    public var uses: Int
    /// The number of its pins.
    public var pins: Int
    /// Its size in the store, including its head; a body that several entries share counts for each.
    public var size: ByteCount
    /// The length of the content in its stored coding.
    public var bodyLength: ByteCount
    /// See `StoredResponse.tags`, sorted.
    public var tags: [String]
    /// See `StoredResponse.expires`.
    public var expires: WallInstant?
}
