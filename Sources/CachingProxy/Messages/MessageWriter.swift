#if Proxy
import HTTPTypes
import NIOCore
import NIOHTTP1

/// Puts messages on the wire, RFC 9112. Every octet of a field value goes out as it is in the field.
package enum MessageWriter {
    /// A request's head.
    ///
    /// - Parameter framing: Written as `Content-Length` or `Transfer-Encoding`; what the fields say of either is left
    ///   out. `.none` writes neither.
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

    static func write(_ status: HTTPResponse.Status, to bytes: inout ByteBuffer) {
        bytes.writeStaticString("HTTP/1.1 ")
        bytes.writeString(String(status.code))
        bytes.writeInteger(Octet.space)
        if status.reasonPhrase.isEmpty, let known = standardPhrase(status.code) {
            bytes.writeString(known)
        } else {
            // As ``ResponseHead`` read it; what is not in ISO 8859-1 was not read from the wire.
            bytes.writeBytes(status.reasonPhrase.unicodeScalars.map { UInt8(exactly: $0.value) ?? 0x3F })
        }
        bytes.writeStaticString("\r\n")
    }

    /// What stands before the octets of a chunk.
    package static func chunkHead(_ count: Int) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeString(String(count, radix: 16))
        bytes.writeStaticString("\r\n")
        return bytes
    }

    /// What stands behind them.
    package static let chunkEnd = ByteBuffer(string: "\r\n")

    /// The last chunk and the trailer section.
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
    static func isReplaced(_ name: HTTPField.Name, _ framing: MessageFraming, _ kind: MessageKind) -> Bool {
        switch name.meaning {
        case .transferEncoding: true
        case .contentLength: kind == .request || framing != .none
        case .host: kind == .request
        default: false
        }
    }

    /// The framing's own field, and the empty line.
    static func writeEnd(_ framing: MessageFraming, to bytes: inout ByteBuffer) {
        switch framing {
        case .none, .untilClose: break
        case .length(let length): bytes.writeString("Content-Length: \(length)\r\n")
        case .chunked: bytes.writeStaticString("Transfer-Encoding: chunked\r\n")
        }
        bytes.writeStaticString("\r\n")
    }

    static func write(_ field: HTTPField, to bytes: inout ByteBuffer) {
        bytes.writeString(field.name.rawName)
        bytes.writeStaticString(": ")
        field.withUnsafeBytesOfValue { value in
            _ = bytes.writeBytes(UnsafeRawBufferPointer(value))
        }
        bytes.writeStaticString("\r\n")
    }

    private static func standardPhrase(_ code: Int) -> String? {
        let phrase = HTTPResponseStatus(statusCode: code).reasonPhrase
        return phrase.isEmpty ? nil : phrase
    }
}
#endif
