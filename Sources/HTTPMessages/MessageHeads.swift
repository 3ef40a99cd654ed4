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
    /// The value of `Host` (§3.2), which is no part of the fields. `nil` only in HTTP/1.0.
    package var host: String?
    /// Whether the client speaks HTTP/1.0; every later minor version counts as 1.1 (RFC 9110 §2.5).
    package var isHTTP10: Bool
    /// Whether it came in HTTP/2.
    package var isHTTP2 = false
    package var fields: HTTPFields

    package init(
        method: HTTPRequest.Method, target: String, host: String?, isHTTP10: Bool = false, isHTTP2: Bool = false,
        fields: HTTPFields
    ) {
        self.method = method
        self.target = target
        self.host = host
        self.isHTTP10 = isHTTP10
        self.isHTTP2 = isHTTP2
        self.fields = fields
    }

    /// Reads a head, up to the empty line at its end.
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
    package var persists: Bool { !isHTTP10 && !fields.connectionOptions.contains("close") }
}

/// Status line and fields as they are on the wire, RFC 9112 §4.
package struct ResponseHead: Hashable, Sendable {
    /// 100 to 999, with the reason phrase that was sent. Each octet beyond ASCII is one scalar, as ISO 8859-1 has it.
    package var status: HTTPResponse.Status
    package var isHTTP10: Bool
    package var fields: HTTPFields

    package init(status: HTTPResponse.Status, isHTTP10: Bool = false, fields: HTTPFields) {
        self.status = status
        self.isHTTP10 = isHTTP10
        self.fields = fields
    }

    /// Reads a head, up to the empty line at its end.
    package init(_ bytes: ByteBuffer) throws(MessageFault) {
        self = try bytes.parsed { bytes throws(MessageFault) in try ResponseHead(bytes) }
    }

    private init(_ bytes: UnsafeRawBufferPointer) throws(MessageFault) {
        var section = FieldSection(bytes, .response)
        guard let line = try section.line() else { throw .malformed("There is no status line.") }
        guard let first = line.firstIndex(of: Octet.space) else { throw .malformed("There is no status.") }
        isHTTP10 = try HTTPVersionText.isHTTP10(line[..<first])
        let rest = line[(first + 1)...]
        let digits = rest.prefix(3)
        // A space stands behind the code even if no phrase follows, but not every sender knows.
        let isThreeDigits =
            digits.count == 3 && digits.allSatisfy(Octet.isDigit) && (rest.count == 3 || rest[first + 4] == Octet.space)
        guard isThreeDigits else { throw .malformed("The status is no number of three digits.") }
        let code = try Self.code(digits)
        var reason = ""
        reason.unicodeScalars.append(contentsOf: rest.dropFirst(4).map { Unicode.Scalar($0) })
        status = HTTPResponse.Status(code: code, reasonPhrase: reason)
        fields = try section.fields()
    }

    /// A status code of three digits.
    static func code(_ digits: some Sequence<UInt8>) throws(MessageFault) -> Int {
        let code = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
        guard code >= 100 else { throw .malformed("The status is no number of three digits.") }
        // RFC 9110 §15.5.8: a proxy asks so, and none is behind us. To the client it would be our question: WebKitGTK
        // forgets the password for us, and asks again without end.
        guard code != 407 else { throw .malformed("Only a proxy may ask for a proxy's password.") }
        return code
    }

    /// Whether the connection may be used again, as far as the head says, RFC 9112 §9.3.
    package var persists: Bool {
        let options = fields.connectionOptions
        return !options.contains("close") && (!isHTTP10 || options.contains("keep-alive"))
    }
}

/// `HTTP/1.1` and its like, RFC 9112 §2.3.
enum HTTPVersionText {
    /// - Throws: ``MessageFault`` for another major version, and for what is no version.
    static func isHTTP10(_ text: Slice<UnsafeRawBufferPointer>) throws(MessageFault) -> Bool {
        let start = text.startIndex
        guard text.count == 8, text.starts(with: "HTTP/".utf8), Octet.isDigit(text[start + 5]),
            text[start + 6] == 0x2E, Octet.isDigit(text[start + 7])
        else { throw .malformed("This is no HTTP/1.1.") }
        guard text[start + 5] == 0x31 else {
            throw MessageFault(code: .versionNotSupported, message: "Its version is not supported.")
        }
        return text[start + 7] == 0x30
    }
}

extension ByteBuffer {
    /// Runs a parser over the readable bytes.
    func parsed<Result>(
        _ parse: (UnsafeRawBufferPointer) throws(MessageFault) -> Result
    ) throws(MessageFault) -> Result {
        let result = withUnsafeReadableBytes { bytes -> Swift.Result<Result, MessageFault> in
            do throws(MessageFault) {
                return .success(try parse(bytes))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
#endif
