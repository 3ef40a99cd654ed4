import CacheEngine
import Decoding
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Reads a content piece by piece, in its codings, and finds out whether it is what was promised.
///
/// A `.svgz` may be listed by its coded bytes: so where the decoded bytes do not match, the coded ones may.
struct ContentCheck {
    private let expected: ExpectedContent?
    /// `nil` if the codings can't be taken off; then only the coded length is checked.
    private let decoding: ContentDecoding?
    private let longest: ByteCount
    private let longestCoded: Int64
    /// The bytes so far, as they came.
    private(set) var coded: Int64 = 0
    private var decoded: Int64 = 0
    private var codedHasher = SHA256Hasher()
    /// Hashes the content without its codings, if it has any.
    private var hasher = SHA256Hasher()
    private let isCoded: Bool
    private var integrity: Integrity.Check?

    /// - Parameters:
    ///   - fields: The response's.
    ///   - expected: `nil` if any content will do.
    ///   - integrity: The hashes that a page states, see ``Integrity``.
    ///   - declared: The length that the response states.
    /// - Throws: ``PreloadRefusal/Reason/unknownCoding`` where something is expected, and `sizeExceeded`.
    init(
        _ fields: HTTPFields, expected: ExpectedContent?, integrity: String = "", declared: Int64?
    ) throws(PreloadRefusal) {
        let codings = ContentCodings(fields)
        if codings == nil, expected != nil {
            throw PreloadRefusal(
                .unknownCoding,
                "The content has the coding '\(fields[.contentEncoding] ?? "")', which can't be taken off to verify "
                    + "it; serve it in gzip, or list it without a hash.")
        }
        self.expected = expected
        self.integrity = codings == nil ? nil : Integrity.Check(integrity)
        longest = expected?.size ?? PreloadConfiguration.largestContent
        isCoded = codings?.isEmpty == false
        // A coding makes a little longer what does not compress.
        longestCoded = (isCoded ? longest + ByteCount(longest.bytes / 8 + 1_024) : longest).bytes
        let total = isCoded && expected != nil ? max(longest, PreloadConfiguration.largestContent) : longest
        decoding = codings.map { ContentDecoding($0, limits: DecodingLimits(total: total)) }
        if let declared, declared > longestCoded { throw tooLong }
    }

    /// Whether the bytes with their coding may be what was listed.
    private var mayBeAsStored: Bool { isCoded && expected != nil && coded <= longest.bytes }

    mutating func add(_ bytes: [UInt8]) throws(PreloadRefusal) {
        coded += Int64(bytes.count)
        guard coded <= longestCoded else { throw tooLong }
        codedHasher.update(bytes)
        guard let decoding else { return }
        decoding.add(bytes)
        try decode(decoding)
        if decoded > longest.bytes, !mayBeAsStored { throw tooLong }
    }

    /// - Returns: The SHA-256 of the content as it was transferred.
    mutating func finish() throws(PreloadRefusal) -> BodyDigest {
        if let decoding {
            decoding.endInput()
            try decode(decoding)
        }
        if integrity?.fits == false { throw PreloadRefusal(.hashMismatch, Integrity.mismatch) }
        guard let expected else { return codedHasher.digest() }
        let digest = codedHasher.digest()
        if mayBeAsStored, digest == expected.sha256, expected.size.map({ coded == $0.bytes }) ?? true { return digest }
        if let size = expected.size, decoded != size.bytes {
            if decoded > size.bytes { throw tooLong }
            throw PreloadRefusal(
                .hashMismatch,
                "The content has \(decoded) bytes and not \(size.bytes); publish the files and their list "
                    + "together.")
        }
        guard (isCoded ? hasher.digest() : digest) == expected.sha256 else {
            throw PreloadRefusal(
                .hashMismatch,
                "The content has another SHA-256: it is damaged, or of another release than its list or seed.")
        }
        return digest
    }

    private mutating func decode(_ decoding: ContentDecoding) throws(PreloadRefusal) {
        do throws(ContentDecodingError) {
            while case .piece(let piece) = try decoding.next() {
                decoded += Int64(piece.count)
                if isCoded, expected != nil { hasher.update(piece) }
                integrity?.update(piece)
            }
        } catch {
            switch error.code {
            case .tooLarge: throw tooLong
            case .expandsTooMuch: throw PreloadRefusal(.bomb, error.message)
            default: throw PreloadRefusal(.damaged, error.message)
            }
        }
    }

    private var tooLong: PreloadRefusal {
        PreloadRefusal(
            .sizeExceeded,
            expected?.size == nil
                ? "The content is longer than \(longest), the most that is fetched ahead; list it with its size and "
                    + "hash."
                : "The content is longer than the \(longest) that were stated; publish the files and their list "
                    + "together.")
    }

    /// Whether stored content is what is expected. Not if it can't be read, or its coding can't be taken off.
    static func holds(_ entry: StoredEntry, _ expected: ExpectedContent, in cache: ResponseCache) async -> Bool {
        do {
            let content = try await cache.store.open(entry)
            var check = try ContentCheck(entry.response.fields, expected: expected, declared: content.length.bytes)
            guard try content.forEachPiece({ try check.add($0) }) else { return false }
            _ = try check.finish()
            return true
        } catch {
            return false
        }
    }
}

/// Whether a page takes a file whose media type is not the one that it should have.
///
/// Images but SVG, sounds, fonts and what scripts fetch are taken under any type: their bytes tell, or nobody looks.
enum MediaTypeTolerance {
    /// - Parameters:
    ///   - type: Of the response, in lower case; `nil` for none.
    ///   - isSVG: Whether it is one by its name or its listed type.
    static func takes(
        _ type: String?, as destination: PreloadDestination, _ fields: HTTPFields, isSVG: Bool
    ) -> Bool {
        let isAllowed = SniffingCheck.allows(fields, for: destination.destination)
        switch destination {
        // HTML "fetch a single module script" and "fetch a classic worker script": "not a JavaScript MIME type".
        case .module, .worker, .sharedWorker, .serviceWorker: return type.map { MediaTypeKind($0) } == .javaScript
        case .script: return isAllowed && !isNeverScript(type)
        // WebKit's `canUseSheet` in standards mode takes these, and those without a type.
        case .style:
            return type == "text/css" || isAllowed && (type == nil || type == "application/x-unknown-content-type")
        // WebKit's `CachedImage` draws one under its own type alone; else it looks for pixels.
        case .image: return !isSVG || type == "image/svg+xml"
        default: return true
        }
    }

    /// Fetch §2.9, "should response to request be blocked due to its MIME type".
    private static func isNeverScript(_ type: String?) -> Bool {
        guard let type else { return false }
        return type == "text/csv" || ["audio/", "image/", "video/"].contains { type.hasPrefix($0) }
    }
}
