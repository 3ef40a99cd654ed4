import HTTPCacheSemantics
import Locking

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

extension [StoredEntry] {
    /// Most recently stored or validated first. Entries with the same time are ordered by storing, the later one first.
    package var latestFirst: [StoredEntry] {
        count < 2
            ? self
            : sorted { ($0.response.responseTime, $0.id.rawValue) > ($1.response.responseTime, $1.id.rawValue) }
    }
}

/// The size of a store's content.
package struct StoreUsage: Hashable, Sendable {
    package var entries: Int
    /// The number of bodies; a body that several entries share counts once.
    package var bodies: Int
    /// The bytes of those bodies.
    package var bodyBytes: ByteCount
    /// The bytes of bodies and heads, which the budget counts.
    package var bytes: ByteCount

    /// Compares entries, bodies and bytes of bodies, but not the size of heads.
    package func hasSameContent(as other: StoreUsage) -> Bool {
        (entries, bodies, bodyBytes) == (other.entries, other.bodies, other.bodyBytes)
    }

    /// - Parameter bytes: ``bodyBytes`` by default.
    package init(entries: Int, bodies: Int, bodyBytes: ByteCount, bytes: ByteCount? = nil) {
        self.bytes = bytes ?? bodyBytes
        self.entries = entries
        self.bodies = bodies
        self.bodyBytes = bodyBytes
    }
}

/// The content of a stored response, ready to be read. It stays readable if the entry is removed meanwhile.
package enum StoredContent: Sendable {
    case bytes([UInt8])
    case file(BodyFile)

    /// Bytes from an offset; fewer than requested only at the end.
    ///
    /// - Throws: As ``BodyFile/read(from:upTo:)``.
    package func read(from offset: Int64, upTo count: Int) throws -> [UInt8] {
        switch self {
        case .bytes(let bytes): Array(bytes.dropFirst(Int(clamping: max(0, offset))).prefix(max(0, count)))
        case .file(let file): try file.read(from: offset, upTo: count)
        }
    }

    /// Hands over the bytes from the beginning, piece by piece.
    ///
    /// - Returns: Whether those were all; a file may have become shorter.
    /// - Throws: As ``BodyFile/read(from:upTo:)``, and what the closure throws.
    package func forEachPiece(_ body: ([UInt8]) throws -> Void) throws -> Bool {
        var offset: Int64 = 0
        while offset < length.bytes {
            let piece = try read(from: offset, upTo: 65_536)
            guard !piece.isEmpty else { return false }
            try body(piece)
            offset += Int64(piece.count)
        }
        return true
    }

    package var length: ByteCount {
        switch self {
        case .bytes(let bytes): ByteCount(bytes.count)
        case .file(let file): file.length
        }
    }
}

/// A moment in the history of a store, taken before a request leaves.
///
/// With it, ``ResponseStorage/commit(_:key:response:since:)`` decides whether the response to that request may be
/// stored: not if any process invalidated its key since, and only with ``StoredResponse/needsValidation`` if another
/// response was stored since and the order of the two is unknown.
package struct StoreMark: Hashable, Sendable {
    /// The number of changes noted before.
    var number: UInt64
    /// Differs from one opening of the log to the next.
    var opening: UInt64
}

/// A place for values derived from an entry's response, so that they are computed once and live as long as the entry.
/// The store itself never reads it.
package final class EntryAttachment: Sendable {
    private let kept = LockedBox<(any AnyObject & Sendable)?>(nil)

    init() {}

    /// `nil` until a value is set.
    package var value: (any AnyObject & Sendable)? { kept.withLock { $0 } }

    /// Sets a value, replacing the former one.
    package func keep(_ value: any AnyObject & Sendable) {
        kept.withLock { $0 = value }
    }
}
