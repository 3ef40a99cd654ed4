import HTTPCacheSemantics

/// Which stored responses are meant: those of which everything that is said here holds. One that says nothing means none
/// of them, since it may have been meant to say something; all of them are ``everything``.
///
/// ```swift
/// try await store.remove(EntrySelection(host: "shop.test", contentType: "image/*"))
/// ```
public struct EntrySelection: Hashable, Sendable {
    /// The target URI, as in ``CacheKey/uri``; every variant of it is meant.
    public var uri: String?
    /// The host with its port, where the URI has one; `*.shop.test` means every host below `shop.test`.
    public var host: String? {
        didSet { host = host?.lowercased() }
    }
    /// The partition, such as an account; the empty one is that of nobody in particular.
    public var partition: String?
    /// Stored, or last confirmed by the origin, before this.
    public var storedBefore: WallInstant?
    /// Stored, or last confirmed by the origin, at this time or later.
    public var storedSince: WallInstant?
    /// Not asked for since; known to a day.
    public var unusedSince: WallInstant?
    /// Type and subtype of the content without parameters, such as `image/png`, or `image/*`.
    public var contentType: String? {
        didSet { contentType = contentType?.lowercased() }
    }
    /// A name that a rule put on the response.
    public var tag: String?
    /// Whether something keeps it from being evicted.
    public var isPinned: Bool?
    /// Past the time that a rule lets it answer without a validation, at this moment.
    public var expiredAt: WallInstant?

    /// Whether it is ``everything``, or was made from it.
    private var isOfEverything = false

    /// Everything that is stored; less where more is said of it.
    public static let everything: EntrySelection = {
        var selection = EntrySelection()
        selection.isOfEverything = true
        return selection
    }()

    /// - Parameters: All `nil` unless set: then it makes no difference. With all of them `nil`, nothing is meant.
    public init(
        uri: String? = nil, host: String? = nil, partition: String? = nil, storedBefore: WallInstant? = nil,
        storedSince: WallInstant? = nil, unusedSince: WallInstant? = nil, contentType: String? = nil,
        tag: String? = nil, isPinned: Bool? = nil,
        expiredAt: WallInstant? = nil
    ) {
        (self.uri, self.host, self.partition) = (uri, host?.lowercased(), partition)
        (self.storedBefore, self.storedSince) = (storedBefore, storedSince)
        (self.unusedSince, self.expiredAt) = (unusedSince, expiredAt)
        (self.contentType, self.tag, self.isPinned) = (contentType?.lowercased(), tag, isPinned)
    }

    /// Whether it says nothing, and so means none.
    public var meansNothing: Bool {
        !isOfEverything && isByKey && uri == nil && host == nil && partition == nil
    }

    /// Whether only the key decides.
    var isByKey: Bool {
        storedBefore == nil && storedSince == nil && unusedSince == nil && contentType == nil && tag == nil
            && isPinned == nil
            && expiredAt == nil
    }

    /// Whether it says enough to mean names with a content hash that have no response any more: by key, or since a date.
    var meansNames: Bool {
        var byKey = self
        if storedSince != nil { (byKey.storedSince, byKey.storedBefore) = (nil, nil) }
        return byKey.isByKey
    }

    /// Whether a response that is arriving may be meant, which is new and as yet unused.
    package var meansArriving: Bool {
        storedBefore == nil && unusedSince == nil && expiredAt == nil && isPinned != true
    }

    /// Whether a stored response is meant.
    public func contains(_ entry: EntrySummary) -> Bool {
        func holds<Value>(_ wanted: Value?, _ condition: (Value) -> Bool) -> Bool { wanted.map(condition) ?? true }
        return contains(entry.key) && holds(storedBefore) { entry.storedAt < $0 }
            && holds(storedSince) { entry.storedAt >= $0 }
            && holds(unusedSince) { entry.lastUsed < $0 }
            && holds(contentType) { Self.isType(entry.contentType ?? "", $0) }
            && holds(tag) { entry.tags.contains($0) } && holds(isPinned) { $0 == (entry.pins > 0) }
            && holds(expiredAt) { now in entry.expires.map { $0 <= now } ?? false }
    }

    /// Whether a stored response under a key may be meant: as far as the key decides.
    public func contains(_ key: CacheKey) -> Bool {
        !meansNothing && (uri ?? key.uri) == key.uri && (partition ?? key.partition) == key.partition
            && (host.map { Self.isHost(key.host, $0) } ?? true)
    }

    private static func isHost(_ host: String, _ pattern: String) -> Bool {
        pattern.hasPrefix("*.") ? host.hasSuffix(pattern.dropFirst()) : host == pattern
    }

    private static func isType(_ type: String, _ pattern: String) -> Bool {
        pattern.hasSuffix("/*") ? type.hasPrefix(pattern.dropLast()) : type == pattern
    }
}
