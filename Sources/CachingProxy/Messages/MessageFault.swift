#if Proxy
/// Why octets are no HTTP/1.1 message that may be passed on.
package struct MessageFault: Error, Hashable, Sendable, CustomStringConvertible {
    package var code: Code
    /// What is wrong with the message, in a few words; never a field value.
    package var message: String

    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }

    static func malformed(_ message: String) -> MessageFault {
        MessageFault(code: .malformed, message: message)
    }

    package struct Code: Hashable, Sendable {
        private enum Wrapped: Hashable {
            case malformed, headTooLarge, targetTooLong, versionNotSupported, codingNotUnderstood, endedEarly
        }
        private var wrapped: Wrapped
        /// The grammar or the framing is broken. 400 for a request, 502 for a response.
        package static var malformed: Self { .init(wrapped: .malformed) }
        /// The head, a chunk's size line or the trailer section is longer than ``MessageReader/headLimit``.
        package static var headTooLarge: Self { .init(wrapped: .headTooLarge) }
        /// The request target is longer than 65,536 octets (RFC 9112 §3).
        package static var targetTooLong: Self { .init(wrapped: .targetTooLong) }
        /// The major version is another than 1.
        package static var versionNotSupported: Self { .init(wrapped: .versionNotSupported) }
        /// A transfer coding besides chunked was applied (RFC 9112 §6.1).
        package static var codingNotUnderstood: Self { .init(wrapped: .codingNotUnderstood) }
        /// The input ended before the message did (RFC 9112 §8).
        package static var endedEarly: Self { .init(wrapped: .endedEarly) }
    }
}
#endif
