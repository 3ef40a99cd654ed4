#if Proxy
import HTTPTypes
import NIOCore

/// Puts messages on the wire, RFC 9112. Every octet of a field value goes out as it is in the field.
package enum MessageWriter {
    /// A request's head.
    ///
    /// - Parameter framing: Written as `Content-Length` or `Transfer-Encoding`; the fields' own lines for either are
    ///   left out. `.none` writes neither.
    package static func head(_ head: RequestHead, _ framing: MessageFraming) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(1_024)
        bytes.writeString(head.method.rawValue)
        bytes.writeInteger(Octet.space)
        bytes.writeString(head.target)
        bytes.writeStaticString(" HTTP/1.1\r\nHost: ")
        // First, where RFC 9110 §7.2 wants it.
        bytes.writeString(head.host ?? "")
        bytes.writeStaticString("\r\n")
        write(head.fields, framing, of: .request, to: &bytes)
        return bytes
    }

    /// A response's head; always of HTTP/1.1, which is our version whatever the client's (RFC 9110 §6.2).
    ///
    /// - Parameter framing: As for a request. `.none` leaves `Content-Length` as it is in the fields: it speaks of
    ///   what a GET would get (RFC 9110 §8.6).
    package static func head(
        _ status: HTTPResponse.Status, _ fields: HTTPFields, _ framing: MessageFraming
    ) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(1_024)
        write(status, to: &bytes)
        write(fields, framing, of: .response, to: &bytes)
        return bytes
    }

    package static func write(_ status: HTTPResponse.Status, to bytes: inout ByteBuffer) {
        bytes.writeStaticString("HTTP/1.1 ")
        bytes.writeString(String(status.code))
        bytes.writeInteger(Octet.space)
        if status.reasonPhrase.isEmpty, let known = reasonPhrases[status.code] {
            bytes.writeString(known)
        } else {
            // As ``ResponseHead`` read it; what is not in ISO 8859-1 was not read from the wire.
            bytes.writeBytes(status.reasonPhrase.unicodeScalars.map { UInt8(exactly: $0.value) ?? 0x3F })
        }
        bytes.writeStaticString("\r\n")
    }

    /// A chunk's size line, which precedes its octets.
    package static func chunkHead(_ count: Int) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeString(String(count, radix: 16))
        bytes.writeStaticString("\r\n")
        return bytes
    }

    /// The line end after a chunk's octets.
    package static let chunkEnd = ByteBuffer(string: "\r\n")

    package static func lastChunk(trailers: HTTPFields = [:]) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeStaticString("0\r\n")
        for field in trailers { write(field, to: &bytes) }
        bytes.writeStaticString("\r\n")
        return bytes
    }

    private static func write(
        _ fields: HTTPFields, _ framing: MessageFraming, of kind: MessageKind, to bytes: inout ByteBuffer
    ) {
        for field in fields where !isReplaced(field.name, framing, kind) { write(field, to: &bytes) }
        writeEnd(framing, to: &bytes)
    }

    /// Whether a field is left out, because the framing or the head itself says the same.
    package static func isReplaced(_ name: HTTPField.Name, _ framing: MessageFraming, _ kind: MessageKind) -> Bool {
        switch name.meaning {
        case .transferEncoding: true
        case .contentLength: kind == .request || framing != .none
        case .host: kind == .request
        default: false
        }
    }

    /// The framing's own field, and the empty line.
    package static func writeEnd(_ framing: MessageFraming, to bytes: inout ByteBuffer) {
        switch framing {
        case .none, .untilClose: break
        case .length(let length): bytes.writeString("Content-Length: \(length)\r\n")
        case .chunked: bytes.writeStaticString("Transfer-Encoding: chunked\r\n")
        }
        bytes.writeStaticString("\r\n")
    }

    package static func write(_ field: HTTPField, to bytes: inout ByteBuffer) {
        bytes.writeString(field.name.rawName)
        bytes.writeStaticString(": ")
        field.withUnsafeBytesOfValue { value in
            _ = bytes.writeBytes(UnsafeRawBufferPointer(value))
        }
        bytes.writeStaticString("\r\n")
    }

    /// The reason phrases of IANA's registry of status codes (RFC 9110 §16.2.1), for statuses that come without one.
    private static let reasonPhrases = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
        409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency",
        425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 506: "Variant Also Negotiates",
        507: "Insufficient Storage", 508: "Loop Detected", 511: "Network Authentication Required",
    ]
}
#endif
