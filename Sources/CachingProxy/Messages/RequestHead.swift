#if Proxy
import HTTPTypes
import NIOCore

/// Request line and fields as they are on the wire, RFC 9112 §3.
package struct RequestHead: Hashable, Sendable {
    /// The longest request target that is read, in octets. §3 recommends to support lines of 8,000 at least.
    package static let targetLimit = 65_536

    /// Any token, known or not (RFC 9110 §9.1).
    package var method: HTTPRequest.Method
    /// Visible ASCII only; more of RFC 3986 is not asked for, because browsers send `|` and the like as they are.
    package var target: String
    /// What `Host` says (§3.2); it is no part of the fields. `nil` only in HTTP/1.0.
    package var host: String?
    /// Whether the client speaks HTTP/1.0; every later minor version counts as 1.1 (RFC 9110 §2.5).
    package var isHTTP10: Bool
    package var fields: HTTPFields

    package init(
        method: HTTPRequest.Method, target: String, host: String?, isHTTP10: Bool = false, fields: HTTPFields
    ) {
        self.method = method
        self.target = target
        self.host = host
        self.isHTTP10 = isHTTP10
        self.fields = fields
    }

    /// Reads a head, up to the empty line at its end.
    ///
    /// - Throws: ``MessageFault`` that says what is wrong.
    package init(_ bytes: ByteBuffer) throws(MessageFault) {
        self = try bytes.parsed { bytes throws(MessageFault) in try RequestHead(bytes) }
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws(MessageFault) {
        var section = FieldSection(bytes, .request)
        guard let line = try section.line() else { throw .malformed("There is no request line.") }
        // §3: "recipients MAY instead parse on whitespace-delimited word boundaries"; exactly one SP leaves nothing
        // to interpret.
        guard let first = line.firstIndex(of: Octet.space), let last = line.lastIndex(of: Octet.space), first < last
        else { throw .malformed("The request line has not three parts.") }
        guard let method = HTTPRequest.Method(String(decoding: line[..<first], as: UTF8.self)) else {
            throw .malformed("The method is no token.")
        }
        let target = line[(first + 1)..<last]
        guard target.count <= Self.targetLimit else {
            throw MessageFault(code: .targetTooLong, message: "The request target is too long.")
        }
        guard !target.isEmpty, target.allSatisfy(Octet.isVisible) else {
            throw .malformed("The request target has octets that no URI may have.")
        }
        self.method = method
        self.target = String(decoding: target, as: UTF8.self)
        isHTTP10 = try HTTPVersionText.isHTTP10(line[(last + 1)...])
        fields = try section.fields()
        // §3.2: "A server MUST respond with a 400 (Bad Request) status code to any HTTP/1.1 request message that lacks
        // a Host header field and to any request message that contains more than one Host header field line or a Host
        // header field with an invalid field value."
        host = section.hosts.first
        guard section.hosts.count <= 1, Self.isHost(host ?? ""), host != nil || isHTTP10 else {
            throw .malformed("There must be one valid Host.")
        }
    }

    /// Whether a text has only what a host with a port may have (RFC 3986 §3.2.2). It may be empty (§3.2).
    static func isHost(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            switch byte {
            case 0x61...0x7A, 0x30...0x3A, 0x2D, 0x2E: true
            // " # / < > ? @ \ ^ ` { | }
            case 0x22, 0x23, 0x2F, 0x3C, 0x3E, 0x3F, 0x40, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D: false
            default: Octet.isVisible(byte)
            }
        }
    }

    /// Whether the connection may be used again, RFC 9112 §9.3. Never with HTTP/1.0: "A proxy server MUST NOT maintain
    /// a persistent connection with an HTTP/1.0 client".
    package var persists: Bool { !isHTTP10 && !ConnectionOptions(fields).closes }
}
#endif
