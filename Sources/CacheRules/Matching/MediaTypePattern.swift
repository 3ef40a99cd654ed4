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

    /// What is wrong with it, and advice; `nil` if it is valid.
    var problem: String? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let isType = parts.count == 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(Self.isTokenByte) }
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

    /// `tchar`, RFC 9110 §5.6.2.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }

    static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
