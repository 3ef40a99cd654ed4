#if Proxy
import HTTPTypes

/// The lines of a head or a trailer section, RFC 9112 §2.2 and §5. Values keep every octet.
struct FieldSection {
    /// More lines than any message needs, and few enough that none costs much.
    static let lineLimit = 1_000

    private let bytes: UnsafeRawBufferPointer
    private let kind: MessageKind
    private var position = 0
    /// The values of the request's `Host` lines, which are no part of the fields.
    private(set) var hosts: [String] = []

    init(_ bytes: UnsafeRawBufferPointer, _ kind: MessageKind) {
        self.bytes = bytes
        self.kind = kind
    }

    /// The next line without its end; `nil` after the last one.
    mutating func line() throws(MessageFault) -> UnsafeRawBufferPointer? {
        guard position < bytes.count else { return nil }
        guard let end = Octet.firstIndex(of: Octet.lineFeed, in: bytes, from: position) else {
            throw .malformed("A line has no end.")
        }
        let hasReturn = end > position && bytes[end - 1] == Octet.carriageReturn
        guard hasReturn || kind == .response else { throw .malformed("A line ends without a carriage return.") }
        defer { position = end + 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(hasReturn ? end - 1 : end)])
    }

    /// Whether the next line belongs to the one before, §5.2.
    private var isFolded: Bool {
        position < bytes.count && Octet.isWhitespace(bytes[position])
    }

    /// All lines up to the empty one, as fields.
    mutating func fields() throws(MessageFault) -> HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(16)
        // "Consume each whitespace-preceded line without further processing" or reject (§2.2); we reject.
        guard !isFolded else { throw .malformed("There is whitespace before the first field.") }
        var count = 0
        while let line = try line(), !line.isEmpty {
            count += 1
            guard count <= Self.lineLimit else {
                throw MessageFault(code: .headTooLarge, message: "There are too many fields.")
            }
            guard let field = try field(line) else { continue }
            if kind == .request, field.name.meaning == .host {
                hosts.append(field.value)
            } else {
                fields.append(field)
            }
        }
        return fields
    }

    /// - Returns: `nil` for a line of a response that is no field, such as a message of PHP's: as browsers do, it is
    ///   passed over, unless it may be about the framing. Nobody can act on it, and it is not passed on.
    private mutating func field(_ line: UnsafeRawBufferPointer) throws(MessageFault) -> HTTPField? {
        guard let colon = Octet.firstIndex(of: Octet.colon, in: line) else {
            return try passOver(line, "A field has no colon.")
        }
        var end = colon
        // §5.1: "A proxy MUST remove any such whitespace from a response message"; a server answers 400.
        if kind == .response { while end > 0, Octet.isWhitespace(line[end - 1]) { end -= 1 } }
        guard let name = HTTPField.Name(String(decoding: line[..<end], as: UTF8.self)) else {
            return try passOver(line, "A field name is no token.")
        }
        let value = Octet.trimmed(line[(colon + 1)...])
        guard isFolded else { return try Self.field(name, UnsafeRawBufferPointer(rebasing: value), kind) }
        guard kind == .response else { throw .malformed("A field is folded.") }
        // §5.2: "replace each received obs-fold with one or more SP octets".
        var joined = Array(value)
        while isFolded, let more = try self.line() {
            joined.append(Octet.space)
            joined += Octet.trimmed(more[...])
        }
        let all = joined
        return try all.withUnsafeBufferPointer { bytes throws(MessageFault) in
            try Self.field(name, UnsafeRawBufferPointer(bytes), kind)
        }
    }

    private static let framing = [Array("length".utf8), Array("encoding".utf8)]

    private static func contains(_ word: [UInt8], in text: [UInt8]) -> Bool {
        text.indices.contains { text[$0] == word[0] && text[$0...].starts(with: word) }
    }

    private mutating func passOver(
        _ line: UnsafeRawBufferPointer, _ fault: String
    ) throws(MessageFault) -> HTTPField? {
        var octets = line.map(\.self)
        while isFolded, let more = try self.line() { octets += more }
        let text = octets.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let isDangerous = text.contains(0) || text.contains(Octet.carriageReturn)
        guard kind == .response, !isDangerous, !Self.framing.contains(where: { Self.contains($0, in: text) }) else {
            throw .malformed(fault)
        }
        return nil
    }

    /// A field of these octets, in whichever version of HTTP they came.
    static func field(
        _ name: HTTPField.Name, _ value: UnsafeRawBufferPointer, _ kind: MessageKind
    ) throws(MessageFault) -> HTTPField {
        var isPlain = true
        for byte in value where byte < 0x20 || byte > 0x7E {
            if byte == Octet.tab { continue }
            isPlain = false
            guard byte < 0x80 else { continue }
            // RFC 9110 §5.5: CR, LF and NUL are dangerous in any message. Other controls are invalid as well, but
            // "recipients MAY retain such characters"; we do for origins, which can't be told.
            let isDangerous = byte == 0 || byte == Octet.carriageReturn || byte == Octet.lineFeed
            guard kind == .response, !isDangerous else { throw .malformed("A field value has control characters.") }
        }
        return isPlain
            ? HTTPField(name: name, value: String(decoding: value, as: UTF8.self))
            : HTTPField(name: name, lenientValue: value)
    }
}

/// The fields that frame a message or govern its connection. Looked up for every field of every message, so quickly.
enum FieldMeaning {
    case host, connection, contentLength, transferEncoding
}

extension HTTPField.Name {
    var meaning: FieldMeaning? {
        let name = canonicalName
        switch name.utf8.count {
        case 4: return name == "host" ? .host : nil
        case 10: return name == "connection" ? .connection : nil
        case 14: return name == "content-length" ? .contentLength : nil
        case 17: return name == "transfer-encoding" ? .transferEncoding : nil
        default: return nil
        }
    }
}

extension HTTPFields {
    /// The options of `Connection` in lower case, RFC 9110 §7.6.1.
    package var connectionOptions: Set<String> {
        var options: Set<String> = []
        for field in self where field.name.meaning == .connection {
            for option in field.value.utf8.split(separator: 0x2C) {
                options.insert(String(Substring(option)).trimmingWhitespace.lowercased())
            }
        }
        return options
    }
}

extension String {
    /// Without spaces and tabs at both ends.
    package var trimmingWhitespace: String {
        var view = utf8[...]
        while let last = view.last, Octet.isWhitespace(last) { view.removeLast() }
        while let first = view.first, Octet.isWhitespace(first) { view.removeFirst() }
        return String(Substring(view))
    }
}

/// Which fields of a trailer section are passed on, RFC 9110 §6.5.1.
package enum TrailerFields {
    /// "Many fields cannot be processed outside the header section because their evaluation is necessary prior to
    /// receiving the content, such as those that describe message framing, routing, authentication, request modifiers,
    /// response controls, or content format."
    private static let refused: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "age", "allow", "authorization",
        "cache-control", "clear-site-data", "connection", "content-encoding", "content-length", "content-location",
        "content-range", "content-security-policy", "content-type", "cookie", "date", "expect", "expires", "forwarded",
        "host", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive",
        "location", "max-forwards", "origin", "pragma", "proxy-authenticate", "proxy-authentication-info",
        "proxy-authorization", "proxy-connection", "range", "referer", "retry-after", "set-cookie",
        "strict-transport-security", "te", "trailer", "transfer-encoding", "upgrade", "vary", "via", "warning",
        "www-authenticate",
    ]

    /// The fields that may be sent on, in a trailer section again: they are never merged into the header section, and
    /// a cache need not store them (RFC 9111 §3.1).
    ///
    /// - Parameter options: The message's `Connection` options; what they nominate stays behind.
    package static func forwardable(_ trailers: HTTPFields, connection options: Set<String> = []) -> HTTPFields {
        trailers.filter {
            !refused.contains($0.name.canonicalName) && !options.contains($0.name.canonicalName)
                && !$0.name.canonicalName.hasPrefix("sec-") && !$0.name.canonicalName.hasPrefix("access-control-")
        }
    }
}
#endif
