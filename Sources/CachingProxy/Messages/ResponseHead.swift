#if Proxy
import HTTPTypes
import NIOCore

/// Status line and fields as they are on the wire, RFC 9112 §4.
package struct ResponseHead: Hashable, Sendable {
    /// How many interim responses one request may get. RFC 9110 §15.2 sets no limit, so that one is ours: an origin
    /// could go on for ever.
    package static let interimLimit = 32

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
    ///
    /// - Throws: ``MessageFault`` that says what is wrong.
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
        let code = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
        guard isThreeDigits, code >= 100 else { throw .malformed("The status is no number of three digits.") }
        var reason = ""
        reason.unicodeScalars.append(contentsOf: rest.dropFirst(4).map { Unicode.Scalar($0) })
        status = HTTPResponse.Status(code: code, reasonPhrase: reason)
        fields = try section.fields()
    }

    /// Whether the connection may be used again, as far as the head says, RFC 9112 §9.3.
    package var persists: Bool {
        let options = ConnectionOptions(fields)
        return !options.closes && (!isHTTP10 || options.keepsAlive)
    }
}
#endif
