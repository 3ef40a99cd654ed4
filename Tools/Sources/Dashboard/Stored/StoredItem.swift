/// A stored response as `larder store list` shows it.
package struct StoredItem: Codable, Sendable {
    package var url: String
    /// Empty for no account.
    package var account: String
    /// Type and subtype; `nil` where the response has none.
    package var contentType: String?
    /// The bytes that it takes in the store, its head included.
    package var size: Int64
    /// The bytes of the content alone.
    package var contentSize: Int64
    /// Seconds since the Unix epoch.
    package var storedAt: Double
    /// The same, to a day.
    package var lastUsed: Double
    package var uses: Int
    package var pins: Int
    package var tags: [String]
    /// When a rule ends its use without a validation; `nil` where none does.
    package var expires: Double?
    /// The request fields that it was selected by (RFC 9111 §4.1), `Name: value` each; a field that was absent has no
    /// value. `nil` where there are none: then it is the only response under its URL.
    package var nominatedFields: [String]?
    /// The bytes that are there, such as `bytes 0-99/1000`; `nil` where all are.
    package var partial: String?
    /// The status; `nil` where the response is gone by now.
    package var status: Int?
    /// Where a redirect leads, as the response has it.
    package var location: String?
    /// Its content coding, as stored.
    package var coding: String?
    /// SHA-256 of the content, in hex digits.
    package var digest: String?
    /// The state at the server now, where it was asked: `same`, `other`, `status 404`, `no answer`, or `unknown`.
    package var current: String?
    /// The rule that decides about it; `nil` for none, or where no rules were given.
    package var rule: String?

    package init(
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
