import HTTPCacheSemantics

/// A selection of stored responses: those that meet all of its conditions. A selection without conditions is empty,
/// because a condition may be missing by mistake; ``everything`` selects all.
///
/// ```swift
/// try await store.remove(EntrySelection(host: "shop.test", contentType: "image/*"))
/// ```
public struct EntrySelection: Hashable, Sendable {
    /// The URL, with all variants. Its spelling is that of RFC 9110 §4.2.3 once it is set: a host in lower case, no
    /// default port, `/` for an empty path, no fragment.
    public var uri: String? {
        didSet { uri = uri.map(Self.normalized) }
    }
    /// The beginning of the target URI, such as `https://shop.test/docs/`.
    public var uriPrefix: String?
    /// The host, with its port if the URI has one; `*.shop.test` is every subdomain of `shop.test`.
    public var host: String? {
        didSet { host = host?.lowercased() }
    }
    /// The partition, such as an account, with all its sites; empty for the default partition.
    public var partition: String?
    /// The site, see ``CacheKey/site``; `nil` for all. Counts only together with a partition.
    package var site: String?
    /// Stored or last validated before this.
    public var storedBefore: WallInstant?
    /// Stored or last validated at this time or later.
    public var storedSince: WallInstant?
    /// Not used since; exact to a day.
    public var unusedSince: WallInstant?
    /// Type and subtype of the content without parameters, such as `image/png`, or `image/*`.
    public var contentType: String? {
        didSet { contentType = contentType?.lowercased() }
    }
    /// A tag from a rule.
    public var tag: String?
    /// Whether it is pinned against eviction.
    public var isPinned: Bool?
    /// Expired by a rule at this moment: it may not answer without validation any more.
    public var expiredAt: WallInstant?

    /// Whether it is ``everything``, or was made from it.
    private var isOfEverything = false

    /// Everything that is stored; conditions that are set on it narrow it.
    public static let everything: EntrySelection = {
        var selection = EntrySelection()
        selection.isOfEverything = true
        return selection
    }()

    /// - Parameters: All are `nil` by default, which sets no condition. With all of them `nil`, the selection is empty.
    public init(
        uri: String? = nil, uriPrefix: String? = nil, host: String? = nil, partition: String? = nil,
        storedBefore: WallInstant? = nil,
        storedSince: WallInstant? = nil, unusedSince: WallInstant? = nil, contentType: String? = nil,
        tag: String? = nil, isPinned: Bool? = nil,
        expiredAt: WallInstant? = nil
    ) {
        (self.uri, self.uriPrefix) = (uri.map(Self.normalized), uriPrefix)
        (self.host, self.partition) = (host?.lowercased(), partition)
        (self.storedBefore, self.storedSince) = (storedBefore, storedSince)
        (self.unusedSince, self.expiredAt) = (unusedSince, expiredAt)
        (self.contentType, self.tag, self.isPinned) = (contentType?.lowercased(), tag, isPinned)
    }

    /// Selects exactly one key, with all variants; the same URI under other sites is not meant.
    package init(of key: CacheKey) {
        self.init(uri: key.uri, partition: key.partition)
        site = key.site
    }

    /// Whether it has no condition, and so selects nothing.
    package var meansNothing: Bool {
        !isOfEverything && isByKey && uri == nil && uriPrefix == nil && host == nil && partition == nil
    }

    /// Whether only the key decides.
    var isByKey: Bool {
        storedBefore == nil && storedSince == nil && unusedSince == nil && contentType == nil && tag == nil
            && isPinned == nil
            && expiredAt == nil
    }

    /// Whether it also selects notes about hashed names without a response: by key, or since a date.
    var meansNames: Bool {
        var byKey = self
        if storedSince != nil { (byKey.storedSince, byKey.storedBefore) = (nil, nil) }
        return byKey.isByKey
    }

    /// Whether it may include an arriving response, which is new and not used yet.
    package var meansArriving: Bool {
        storedBefore == nil && unusedSince == nil && expiredAt == nil && isPinned != true
    }

    /// The key whose invalidation stands for it in the order of responses; `nil` where every key is meant.
    var invalidation: CacheKey? {
        uri.map { uri in partition.map { CacheKey(partition: $0, uri: uri) } ?? CacheKey(uriInAnyPartition: uri) }
    }

    /// Whether it includes a stored response.
    package func contains(_ entry: EntrySummary) -> Bool {
        func holds<Value>(_ wanted: Value?, _ condition: (Value) -> Bool) -> Bool { wanted.map(condition) ?? true }
        return contains(entry.key) && holds(storedBefore) { entry.storedAt < $0 }
            && holds(storedSince) { entry.storedAt >= $0 }
            && holds(unusedSince) { entry.lastUsed < $0 }
            && holds(contentType) { Self.isType(entry.contentType ?? "", $0) }
            && holds(tag) { entry.tags.contains($0) } && holds(isPinned) { $0 == (entry.pins > 0) }
            && holds(expiredAt) { now in entry.expires.map { $0 <= now } ?? false }
    }

    /// Whether it may include responses under a key, judged by the key alone.
    package func contains(_ key: CacheKey) -> Bool {
        !meansNothing && (uri ?? key.uri) == key.uri && (partition ?? key.partition) == key.partition
            && (partition == nil || (site ?? key.site) == key.site) && key.uri.hasPrefix(uriPrefix ?? "")
            && (host.map { Self.isHost(key.host, $0) } ?? true)
    }

    private static func normalized(_ uri: String) -> String {
        TargetURI.split(uri).map { TargetURI.normalized(scheme: $0.scheme, authority: $0.authority, path: $0.path) }
            ?? uri
    }

    private static func isHost(_ host: String, _ pattern: String) -> Bool {
        pattern.hasPrefix("*.") ? host.hasSuffix(pattern.dropFirst()) : host == pattern
    }

    private static func isType(_ type: String, _ pattern: String) -> Bool {
        pattern.hasSuffix("/*") ? type.hasPrefix(pattern.dropLast()) : type == pattern
    }
}

/// A stored response as described by the index, without reading its head or its content.
public struct EntrySummary: Hashable, Sendable {
    package var id: StoredEntry.ID
    package var key: CacheKey
    /// Type and subtype in lower case; `nil` if the response has none.
    public var contentType: String?
    /// When it was stored or last validated.
    public var storedAt: WallInstant
    /// When it was last used, exact to a day; ``storedAt`` if it was not used since.
    public var lastUsed: WallInstant
    /// Its uses, as far as they count for eviction, including the request for which it was stored.
    package var uses: Int
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

    /// The URL that it is stored under, without its fragment.
    public var uri: String { key.uri }
    /// The host of that URL, with its port if it has one.
    public var host: String { key.host }
    /// The account that it is stored for; empty for none.
    public var account: String { key.partition }
}

/// The result of a removal.
public struct RemovedContent: Hashable, Sendable {
    /// The number of removed responses.
    public var entries: Int
    /// The bytes of heads, and of bodies that no other entry uses.
    public var bytes: ByteCount

    package init(entries: Int = 0, bytes: ByteCount = .zero) {
        (self.entries, self.bytes) = (entries, bytes)
    }

    /// The sum of two removals.
    package static func + (one: RemovedContent, other: RemovedContent) -> RemovedContent {
        RemovedContent(entries: one.entries + other.entries, bytes: one.bytes + other.bytes)
    }
}
