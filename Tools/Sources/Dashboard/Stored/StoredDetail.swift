/// A stored response as `larder store show` shows it: everything but its content.
package struct StoredDetail: Codable, Sendable {
    package var item: StoredItem
    package var status: Int
    /// Name and value each, in their order.
    package var fields: [[String]]
    /// The request fields that it was selected by, `Name: value` each; a field that was absent has no value.
    package var nominatedFields: [String]
    /// `complete`, or the bytes that are there.
    package var extent: String
    package var needsValidation: Bool
    /// SHA-256 of the content, in hex digits.
    package var digest: String
    /// From the request to the response, in milliseconds.
    package var responseDelay: Double

    package init(
        item: StoredItem, status: Int, fields: [[String]], nominatedFields: [String], extent: String,
        needsValidation: Bool, digest: String, responseDelay: Double
    ) {
        (self.item, self.status, self.fields, self.nominatedFields) = (item, status, fields, nominatedFields)
        (self.extent, self.needsValidation) = (extent, needsValidation)
        (self.digest, self.responseDelay) = (digest, responseDelay)
    }
}
