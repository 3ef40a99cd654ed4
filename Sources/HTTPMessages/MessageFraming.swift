#if Proxy
import HTTPTypes

/// Where a message's content ends, RFC 9112 §6.3.
package enum MessageFraming: Hashable, Sendable {
    /// With the head.
    case none
    /// After that many octets.
    case length(Int64)
    /// With the last chunk.
    case chunked
    /// With the connection.
    case untilClose

    /// The content's length where it is known beforehand.
    package var statedLength: Int64? {
        switch self {
        case .none: 0
        case .length(let length): length
        case .chunked, .untilClose: nil
        }
    }
}

extension MessageFraming {
    /// How a request's content is framed.
    ///
    /// - Throws: ``MessageFault``: §6.3 wants 400 and a closed connection for whatever is not certain, and 501 for a
    ///   transfer coding that is not understood (§6.1). "A server MAY reject a request that contains both
    ///   Content-Length and Transfer-Encoding"; we do.
    package init(of head: RequestHead) throws(MessageFault) {
        let stated = Stated(head.fields)
        switch stated.coding {
        case .absent:
            self = try stated.length().map { .length($0) } ?? .none
        case .chunked:
            guard !stated.hasLength else { throw .malformed("The content has two framings.") }
            guard !head.isHTTP10 else { throw .malformed("HTTP/1.0 knows no transfer coding.") }
            self = .chunked
        case .unknownUnderChunked:
            throw MessageFault(code: .codingNotUnderstood, message: "Only the chunked transfer coding is understood.")
        case .faulty, .chunkedAgain, .unregistered:
            throw .malformed("The transfer coding leaves the content's end open.")
        }
        // RFC 9110 §9.3.8: "A client MUST NOT send content in a TRACE request." §9.3.6: CONNECT has none.
        if head.method == .trace || head.method == .connect {
            guard self == .none || self == .length(0) else { throw .malformed("This method has no content.") }
        }
    }

    /// How the content of a request in HTTP/2 is framed: its end is the stream's.
    ///
    /// - Parameter isLast: Whether the stream ends with the head.
    /// - Throws: ``MessageFault`` as above, and where RFC 9113 §8.1.1 calls the message malformed.
    package init(of head: RequestHead, isLast: Bool) throws(MessageFault) {
        let stated = try MessageFraming(of: head)
        if isLast {
            guard stated.statedLength == 0 else { throw .malformed("The content is shorter than its Content-Length.") }
            self = stated
        } else {
            guard head.method != .trace else { throw .malformed("This method has no content.") }
            self = stated == .none ? .chunked : stated
        }
    }

    /// How a response's content is framed, and whether it puts the whole connection in doubt.
    ///
    /// Leaves one right `Content-Length` in the head or none: "An intermediary that chooses to forward the message
    /// MUST first remove the received Content-Length field" where a transfer coding overrides it (§6.3), and
    /// RFC 9110 §8.6 forbids to forward one that is known to be incorrect.
    ///
    /// - Parameter head: A final or interim response.
    /// - Returns: The framing, and false when the connection must not be used again.
    /// - Throws: ``MessageFault``. Coded octets are never content: a coding that is not understood is one, too.
    package static func of(
        _ head: inout ResponseHead, to method: HTTPRequest.Method
    ) throws(MessageFault) -> (framing: MessageFraming, isCertain: Bool) {
        let stated = Stated(head.fields)
        let code = head.status.code
        // Rule 1: "is always terminated by the first empty line after the header fields, regardless of the header
        // fields present in the message".
        if method == .head || code < 200 || code == 204 || code == 304 {
            // RFC 9110 §8.6: no Content-Length in 1xx and 204.
            let mayHaveLength = code >= 200 && code != 204 && stated.coding == .absent
            let length = mayHaveLength ? (try? stated.length()) ?? nil : nil
            stated.leave(length, in: &head.fields)
            return (.none, true)
        }
        switch stated.coding {
        case .absent:
            let length = try stated.length()
            stated.leave(length, in: &head.fields)
            // RFC 9110 §15.3.6: a 205 has no content; an origin may keep its connection without saying so.
            if length == nil, code == 205 { return (.length(0), false) }
            return (length.map { .length($0) } ?? .untilClose, true)
        case .chunked, .chunkedAgain:
            stated.leave(nil, in: &head.fields)
            // §6.1: from HTTP/1.0 "the framing is faulty"; close "after processing the message".
            return (.chunked, !stated.hasLength && stated.coding == .chunked && !head.isHTTP10)
        case .unregistered:
            // A name that no registry knows, such as `identity`, says nothing about the octets: as web views do, we
            // take them for the content, up to the length that is stated, or by rule 4 until the connection is closed.
            let length = (try? stated.length()) ?? nil
            stated.leave(length, in: &head.fields)
            return (length.map { .length($0) } ?? .untilClose, false)
        case .unknownUnderChunked, .faulty:
            throw .malformed("The response has a transfer coding that nobody asked for.")
        }
    }
}

/// The framing fields of a head.
private struct Stated {
    enum Coding {
        case absent, chunked, unknownUnderChunked, faulty
        /// Stated more than once, as by a framework and the server under it: the content is chunked once.
        case chunkedAgain
        /// Without chunked, and none of the registry of RFC 9112 §7.3.
        case unregistered
    }

    private var lengths: [String] = []
    private var codings: [String]?

    init(_ fields: HTTPFields) {
        for field in fields {
            switch field.name.meaning {
            case .contentLength: lengths.append(field.value)
            case .transferEncoding: codings = (codings ?? []) + Self.members(field.value)
            default: break
            }
        }
    }

    private static let registered: Set = ["chunked", "compress", "deflate", "gzip", "x-compress", "x-gzip"]

    var hasLength: Bool { !lengths.isEmpty }

    var coding: Coding {
        guard let codings else { return .absent }
        // §7: names are case-insensitive. The last coding must be chunked, and only that one ("A sender MUST NOT apply
        // the chunked transfer coding more than once"); parameters are an error (§7.1).
        let names = codings.map { $0.lowercased() }
        let plain = names.map { String($0.prefix { $0 != ";" }).trimmingWhitespace }
        if !names.isEmpty, Self.registered.isDisjoint(with: plain) { return .unregistered }
        if names.count > 1, names.allSatisfy({ $0 == "chunked" }) { return .chunkedAgain }
        guard names.last == "chunked", !names.dropLast().contains("chunked") else { return .faulty }
        return names.count == 1 ? .chunked : .unknownUnderChunked
    }

    /// Rule 5: invalid "unless the field value can be successfully parsed as a comma-separated list, all values in the
    /// list are valid, and all values in the list are the same".
    func length() throws(MessageFault) -> Int64? {
        guard hasLength else { return nil }
        var found: Int64?
        for line in lengths {
            let members = line.utf8.split(separator: 0x2C, omittingEmptySubsequences: false)
            for member in members {
                let digits = String(Substring(member)).trimmingWhitespace
                // 1*DIGIT, RFC 9110 §8.6: `Int64` would take a sign.
                guard digits.utf8.allSatisfy(Octet.isDigit), let number = Int64(digits),
                    found == nil || found == number
                else { throw .malformed("The Content-Length is not one number.") }
                found = number
            }
        }
        return found
    }

    /// Makes `Content-Length` say this, once, where it stood.
    func leave(_ length: Int64?, in fields: inout HTTPFields) {
        guard hasLength else { return }
        let text = length.map { String($0) }
        if lengths.count == 1, lengths[0] == text { return }
        fields[.contentLength] = text
    }

    private static func members(_ value: String) -> [String] {
        value.utf8.split(separator: 0x2C).map { String(Substring($0)).trimmingWhitespace }.filter { !$0.isEmpty }
    }
}

/// Why octets are no HTTP/1.1 message that may be passed on.
package struct MessageFault: Error, Hashable, Sendable, CustomStringConvertible {
    package var code: Code
    /// The fault in a few words; never a field value.
    package var message: String

    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }

    package static func malformed(_ message: String) -> MessageFault {
        MessageFault(code: .malformed, message: message)
    }

    package static let cutOff = MessageFault(code: .endedEarly, message: "The message was cut off.")

    package enum Code: Hashable, Sendable {
        /// The grammar or the framing is broken. 400 for a request, 502 for a response.
        case malformed
        /// The head, a chunk's size line or the trailer section is longer than ``MessageReader/headLimit``.
        case headTooLarge
        /// The request target is longer than 65,536 octets (RFC 9112 §3).
        case targetTooLong
        /// The major version is another than 1.
        case versionNotSupported
        /// A transfer coding besides chunked was applied (RFC 9112 §6.1).
        case codingNotUnderstood
        /// The input ended before the message did (RFC 9112 §8).
        case endedEarly
    }
}

/// Which way a message goes; it decides what a recipient may forgive.
///
/// RFC 9112 wants a server to refuse what a proxy may repair in a response: whitespace before the colon (§5.1) and
/// folded lines (§5.2). A single LF as the end of a line (§2.2) is allowed in both; we accept it only in heads of
/// responses, because no client needs it and requests have been smuggled with it.
package enum MessageKind: Hashable, Sendable {
    case request
    case response
}
#endif
