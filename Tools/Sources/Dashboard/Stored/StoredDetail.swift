/// A stored response as `larder store show` shows it: everything but its content.
public struct StoredDetail: Codable, Sendable {
    public var item: StoredItem
    public var status: Int
    /// Name and value each, in their order.
    public var fields: [[String]]
    /// The request fields that it was selected by, `Name: value` each; a field that was absent has no value.
    public var nominatedFields: [String]
    /// `complete`, or the bytes that are there.
    public var extent: String
    public var needsValidation: Bool
    /// SHA-256 of the content, in hex digits.
    public var digest: String
    /// From the request to the response, in milliseconds.
    public var responseDelay: Double

    public init(
        item: StoredItem, status: Int, fields: [[String]], nominatedFields: [String], extent: String,
        needsValidation: Bool, digest: String, responseDelay: Double
    ) {
        (self.item, self.status, self.fields, self.nominatedFields) = (item, status, fields, nominatedFields)
        (self.extent, self.needsValidation) = (extent, needsValidation)
        (self.digest, self.responseDelay) = (digest, responseDelay)
    }
}
