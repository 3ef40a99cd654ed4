#if Proxy
import NIOCore

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
