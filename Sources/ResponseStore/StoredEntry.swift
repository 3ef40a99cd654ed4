import HTTPCacheSemantics

/// One stored response with its place in the store.
package struct StoredEntry: Sendable {
    /// Identifies the entry for the lifetime of the store; a response that replaces another has a new one.
    package struct ID: Hashable, Sendable {
        package var rawValue: Int64

        package init(rawValue: Int64) {
            self.rawValue = rawValue
        }
    }

    package var id: ID
    package var key: CacheKey
    package var response: StoredResponse {
        didSet { attachment = EntryAttachment() }
    }
    package var bodyDigest: BodyDigest
    package var bodyLength: ByteCount
    /// The content if it is small enough to be read with its head; `nil` for a body in a file.
    package var inlineBody: [UInt8]?
    /// More about the body; `nil` in memory.
    var body: BodyDescription?
    /// The checksums of the blocks of a body in a file.
    var checksums: [UInt64] { body?.checksums ?? [] }
    /// The name of the body's file, if it has one.
    var fileName: BodyDigest { body?.fileName ?? bodyDigest }
    /// Values derived from the response; all copies of the entry share them until the response changes.
    package private(set) var attachment = EntryAttachment()

    package init(
        id: ID, key: CacheKey, response: StoredResponse, bodyDigest: BodyDigest, bodyLength: ByteCount,
        inlineBody: [UInt8]?
    ) {
        self.id = id
        self.key = key
        self.response = response
        self.bodyDigest = bodyDigest
        self.bodyLength = bodyLength
        self.inlineBody = inlineBody
    }

    init(id: ID, key: CacheKey, response: StoredResponse, body: BodyDescription, inlineBody: [UInt8]?) {
        self.init(
            id: id, key: key, response: response, bodyDigest: body.digest, bodyLength: body.length,
            inlineBody: inlineBody)
        self.body = body
    }
}
