import HTTPCacheSemantics

/// One stored response with its place in the store.
public struct StoredEntry: Sendable {
    /// Names the entry as long as the store lives; a replaced response has a new one.
    public struct ID: Hashable, Sendable {
        public var rawValue: Int64

        public init(rawValue: Int64) {
            self.rawValue = rawValue
        }
    }

    public var id: ID
    public var key: CacheKey
    public var response: StoredResponse {
        didSet { attachment = EntryAttachment() }
    }
    public var bodyDigest: BodyDigest
    public var bodyLength: ByteCount
    /// The content, where it is small enough to come with its head; `nil` for a body in a file of its own.
    public var inlineBody: [UInt8]?
    /// What the store knows of the body besides; `nil` in memory.
    var body: BodyDescription?
    /// Of the blocks of a body in a file.
    var checksums: [UInt64] { body?.checksums ?? [] }
    /// What the file of the body is named by, where it has one.
    var fileName: BodyDigest { body?.fileName ?? bodyDigest }
    /// What was worked out from the response; all copies of the entry share it, until the response is changed.
    public private(set) var attachment = EntryAttachment()

    public init(
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
