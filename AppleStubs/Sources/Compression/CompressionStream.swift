// Stands in for Compression; declared as on developer.apple.com, as far as we use it. The lines are explained in
// NWPath.swift.

// c:@S@compression_stream | iOS 9.0, macOS 10.11 | nonisolated | B
public struct compression_stream {
    // c:@S@compression_stream@FI@dst_ptr | iOS 9.0, macOS 10.11 | nonisolated | B
    public var dst_ptr: UnsafeMutablePointer<UInt8>
    // c:@S@compression_stream@FI@dst_size | iOS 9.0, macOS 10.11 | nonisolated | B
    public var dst_size: Int
    // c:@S@compression_stream@FI@src_ptr | iOS 9.0, macOS 10.11 | nonisolated | B
    public var src_ptr: UnsafePointer<UInt8>
    // c:@S@compression_stream@FI@src_size | iOS 9.0, macOS 10.11 | nonisolated | B
    public var src_size: Int
    // c:@S@compression_stream@FI@state | iOS 9.0, macOS 10.11 | nonisolated | B
    public var state: UnsafeMutableRawPointer?
}

// c:@E@compression_status | iOS 9.0, macOS 10.11 | nonisolated | B
public struct compression_status: Equatable, Sendable {
    var rawValue: Int32
}
// c:@E@compression_status@COMPRESSION_STATUS_OK | iOS 9.0, macOS 10.11 | nonisolated | B
public let COMPRESSION_STATUS_OK = compression_status(rawValue: 0)
// c:@E@compression_status@COMPRESSION_STATUS_ERROR | iOS 9.0, macOS 10.11 | nonisolated | B
public let COMPRESSION_STATUS_ERROR = compression_status(rawValue: -1)
// c:@E@compression_status@COMPRESSION_STATUS_END | iOS 9.0, macOS 10.11 | nonisolated | B
public let COMPRESSION_STATUS_END = compression_status(rawValue: 1)

// c:@E@compression_stream_operation | iOS 9.0, macOS 10.11 | nonisolated | B
public struct compression_stream_operation: Equatable, Sendable {
    var rawValue: UInt32
}
// c:@E@compression_stream_operation@COMPRESSION_STREAM_DECODE | iOS 9.0, macOS 10.11 | nonisolated | B
public let COMPRESSION_STREAM_DECODE = compression_stream_operation(rawValue: 1)

// c:@E@compression_stream_flags | iOS 9.0, macOS 10.11 | nonisolated | B
public struct compression_stream_flags: Equatable, Sendable {
    // identifier unknown | iOS 9.0, macOS 10.11 | nonisolated | M
    public var rawValue: UInt32
}
// c:@E@compression_stream_flags@COMPRESSION_STREAM_FINALIZE | iOS 9.0, macOS 10.11 | nonisolated | B
public let COMPRESSION_STREAM_FINALIZE = compression_stream_flags(rawValue: 1)

// c:@E@compression_algorithm | iOS 9.0, macOS 10.11 | nonisolated | B
public struct compression_algorithm: Equatable, Sendable {
    var rawValue: UInt32
}
// c:@E@compression_algorithm@COMPRESSION_BROTLI | iOS 15.0, macOS 12.0 | nonisolated | B
public let COMPRESSION_BROTLI = compression_algorithm(rawValue: 0xB02)

// c:@F@compression_stream_init | iOS 9.0, macOS 10.11 | nonisolated | B
public func compression_stream_init(
    _ stream: UnsafeMutablePointer<compression_stream>, _ operation: compression_stream_operation,
    _ algorithm: compression_algorithm
) -> compression_status {
    operation == COMPRESSION_STREAM_DECODE && algorithm == COMPRESSION_BROTLI
        ? COMPRESSION_STATUS_OK : COMPRESSION_STATUS_ERROR
}

// A format of its own instead of br: each byte is doubled, a zero is the end, 255 is damage. The end is told only where
// no input follows, the strictest that the documentation allows.
// c:@F@compression_stream_process | iOS 9.0, macOS 10.11 | nonisolated | B
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

// c:@F@compression_stream_destroy | iOS 9.0, macOS 10.11 | nonisolated | B
@discardableResult
public func compression_stream_destroy(_ stream: UnsafeMutablePointer<compression_stream>) -> compression_status {
    COMPRESSION_STATUS_OK
}
