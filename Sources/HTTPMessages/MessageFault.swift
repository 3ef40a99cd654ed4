#if Proxy
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
