import HTTPCacheSemantics
import HTTPTypes

/// `text/css`, or `image/*` for every subtype; parameters do not count (RFC 9110 §8.3.1).
struct MediaTypePattern: Hashable, Sendable {
    /// The printed form, in lower case.
    let text: String
    private let bytes: [UInt8]
    private let isWildcard: Bool

    init(_ text: String) {
        self.text = text.asciiLowercased
        isWildcard = self.text.hasSuffix("/*")
        bytes = Array((isWildcard ? self.text.dropLast() : Substring(self.text)).utf8)
    }

    /// The fault of the pattern, and advice; `nil` if it is valid.
    var problem: String? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isType = parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(ByteScanner.isTokenByte) }
        let stars = parts.filter { $0.contains("*") }
        guard isType, stars.isEmpty || isWildcard && stars.count == 1 else {
            return "\"\(text)\" is not a media type; write \"text/css\" or \"image/*\", without parameters."
        }
        return nil
    }

    /// - Parameter value: The value of `Content-Type`.
    func fits(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        let end = value.firstIndex { $0 == 0x3B || $0 == 0x20 || $0 == 0x09 } ?? value.count
        let type = UnsafeBufferPointer(rebasing: value[..<end])
        return isWildcard
            ? type.count > bytes.count && UnsafeBufferPointer(rebasing: type[..<bytes.count]).equals(lowercase: bytes)
            : type.equals(lowercase: bytes)
    }

    /// Whether it fits every type that the other one fits.
    func covers(_ other: MediaTypePattern) -> Bool {
        isWildcard ? other.bytes.starts(with: bytes) : self == other
    }
}

/// The freshness that a response states.
public enum StatedFreshness: String, Hashable, Sendable, CaseIterable {
    /// A `max-age` or `Expires`, and no unqualified `no-cache` (RFC 9111 §4.2.1).
    case explicit
    /// An unqualified `no-cache`, whatever else the response says (§5.2.2.4): it must be validated before reuse.
    case noCache = "no-cache"
    /// Neither: a cache would use a heuristic (§4.2.2), also with `must-revalidate`, which speaks only of what is stale
    /// (§5.2.2.2).
    case unstated
    /// The same, or a file of a manifest that was fetched with another query, whatever freshness it states; and the
    /// response was last confirmed before the page came that asks for it.
    case olderThanPage = "older-than-page"

    /// As in a private cache; never ``olderThanPage``.
    package init(_ fields: HTTPFields) {
        let control = CacheControl(fields)
        if control.hasUnqualified("no-cache") {
            self = .noCache
        } else if control.has("max-age") || fields.position(of: .expires) != nil {
            self = .explicit
        } else {
            self = .unstated
        }
    }
}
