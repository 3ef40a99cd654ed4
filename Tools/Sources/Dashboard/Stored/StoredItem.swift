/// A stored response as `larder store list` shows it.
public struct StoredItem: Codable, Sendable {
    public var url: String
    /// Empty for no account.
    public var account: String
    /// Type and subtype; `nil` where the response has none.
    public var contentType: String?
    /// What it takes in the store, its head included, in bytes.
    public var size: Int64
    /// Of the content alone.
    public var contentSize: Int64
    /// Seconds since the Unix epoch.
    public var storedAt: Double
    /// The same, to a day.
    public var lastUsed: Double
    public var uses: Int
    public var pins: Int
    public var tags: [String]
    /// When a rule ends its use without a validation; `nil` where none does.
    public var expires: Double?
    /// The request fields that it was selected by (RFC 9111 §4.1), `Name: value` each; a field that was absent has no
    /// value. `nil` where there are none: then it is the only response under its URL.
    public var nominatedFields: [String]?
    /// The bytes that are there, such as `bytes 0-99/1000`; `nil` where all are.
    public var partial: String?

    public init(
        url: String, account: String, contentType: String?, size: Int64, contentSize: Int64, storedAt: Double,
        lastUsed: Double, uses: Int, pins: Int, tags: [String], expires: Double?, nominatedFields: [String]? = nil,
        partial: String? = nil
    ) {
        (self.url, self.account, self.contentType) = (url, account, contentType)
        (self.size, self.contentSize, self.storedAt, self.lastUsed) = (size, contentSize, storedAt, lastUsed)
        (self.uses, self.pins, self.tags, self.expires) = (uses, pins, tags, expires)
        (self.nominatedFields, self.partial) = (nominatedFields, partial)
    }
}
