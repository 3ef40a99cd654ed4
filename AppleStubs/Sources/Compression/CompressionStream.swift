// Stands in for Compression; declared as on developer.apple.com, as far as we use it. iOS 9, macOS 10.11.

public struct compression_stream {
    public var dst_ptr: UnsafeMutablePointer<UInt8>
    public var dst_size: Int
    public var src_ptr: UnsafePointer<UInt8>
    public var src_size: Int
    public var state: UnsafeMutableRawPointer?
}

public struct compression_status: Equatable, Sendable {
    var rawValue: Int32
}
public let COMPRESSION_STATUS_OK = compression_status(rawValue: 0)
public let COMPRESSION_STATUS_ERROR = compression_status(rawValue: -1)
public let COMPRESSION_STATUS_END = compression_status(rawValue: 1)

public struct compression_stream_operation: Equatable, Sendable {
    var rawValue: UInt32
}
public let COMPRESSION_STREAM_DECODE = compression_stream_operation(rawValue: 1)

public struct compression_stream_flags: Equatable, Sendable {
    public var rawValue: UInt32
}
public let COMPRESSION_STREAM_FINALIZE = compression_stream_flags(rawValue: 1)

public struct compression_algorithm: Equatable, Sendable {
    var rawValue: UInt32
}
/// iOS 15, macOS 12.
public let COMPRESSION_BROTLI = compression_algorithm(rawValue: 0xB02)

public func compression_stream_init(
    _ stream: UnsafeMutablePointer<compression_stream>, _ operation: compression_stream_operation,
    _ algorithm: compression_algorithm
) -> compression_status {
    operation == COMPRESSION_STREAM_DECODE && algorithm == COMPRESSION_BROTLI
        ? COMPRESSION_STATUS_OK : COMPRESSION_STATUS_ERROR
}

/// A format of its own instead of br: each byte is doubled, a zero is the end, 255 is damage. The end is told only where
/// no input follows, the strictest that the documentation allows.
public func compression_stream_process(
    _ stream: UnsafeMutablePointer<compression_stream>, _ flags: Int32
) -> compression_status {
    while stream.pointee.src_size > 0 {
        let byte = stream.pointee.src_ptr.pointee
        if byte == 255 { return COMPRESSION_STATUS_ERROR }
        if byte == 0 {
            return flags == Int32(COMPRESSION_STREAM_FINALIZE.rawValue) ? COMPRESSION_STATUS_END : COMPRESSION_STATUS_OK
        }
        guard stream.pointee.dst_size >= 2 else { return COMPRESSION_STATUS_OK }
        for _ in 0..<2 {
            stream.pointee.dst_ptr.pointee = byte
            stream.pointee.dst_ptr += 1
            stream.pointee.dst_size -= 1
        }
        stream.pointee.src_ptr += 1
        stream.pointee.src_size -= 1
    }
    return COMPRESSION_STATUS_OK
}

@discardableResult
public func compression_stream_destroy(_ stream: UnsafeMutablePointer<compression_stream>) -> compression_status {
    COMPRESSION_STATUS_OK
}
