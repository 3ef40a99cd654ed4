import HTTPCacheSemantics

/// What the index says of a stored response, without reading its head or its content.
public struct EntrySummary: Hashable, Sendable {
    public var id: StoredEntry.ID
    public var key: CacheKey
    /// Type and subtype in lower case; `nil` where the response has none.
    public var contentType: String?
    /// When it was stored, or last confirmed by the origin.
    public var storedAt: WallInstant
    /// When it was last asked for, to a day; ``storedAt`` where it was not asked for since.
    public var lastUsed: WallInstant
    /// How often it was asked for, as far as that counts when room is needed; the request that it was stored for counts.
    public var uses: Int
    /// How many keep it from being evicted.
    public var pins: Int
    /// What it takes in the store, its head included; a body that several entries share counts here for each.
    public var size: ByteCount
    /// Of the content alone, in the coding in which it is stored.
    public var bodyLength: ByteCount
    /// See `StoredResponse.tags`, sorted.
    public var tags: [String]
    /// See `StoredResponse.expires`.
    public var expires: WallInstant?
}
