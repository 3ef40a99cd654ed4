#if canImport(Compression)
import Compression

/// RFC 7932 by the system's Compression, which has it since iOS 15 and macOS 12. Not run on a device yet.
final class BrotliDecoder: Decompressor {
    static var isAvailable: Bool { true }

    /// Stays where it is, because Compression keeps what belongs to it.
    private let stream: UnsafeMutablePointer<compression_stream>
    /// Whether the last step filled the output, so that there may be more without any input.
    private var hasMoreOutput = false

    /// `nil` without memory.
    init?() {
        stream = .allocate(capacity: 1)
        guard
            compression_stream_init(stream, COMPRESSION_STREAM_DECODE, COMPRESSION_BROTLI) == COMPRESSION_STATUS_OK
        else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        compression_stream_destroy(stream)
        stream.deallocate()
    }

    func step(
        _ input: [UInt8], from place: Int, isLast: Bool, into output: inout [UInt8]
    ) -> (result: DecompressionResult, taken: Int, written: Int) {
        let (given, room) = (max(0, input.count - place), output.count)
        guard given > 0 || isLast || hasMoreOutput else { return (.more, 0, 0) }
        let status = input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                guard let into = output.baseAddress else { return COMPRESSION_STATUS_ERROR }
                // An empty array may have no address.
                let from = input.baseAddress.map { $0 + place } ?? UnsafePointer(into)
                (stream.pointee.src_ptr, stream.pointee.src_size) = (from, given)
                (stream.pointee.dst_ptr, stream.pointee.dst_size) = (into, room)
                let flags = isLast ? Int32(COMPRESSION_STREAM_FINALIZE.rawValue) : 0
                return compression_stream_process(stream, flags)
            }
        }
        let (taken, written) = (given - stream.pointee.src_size, room - stream.pointee.dst_size)
        hasMoreOutput = written == room
        switch status {
        case COMPRESSION_STATUS_END: return (.end, taken, written)
        case COMPRESSION_STATUS_OK: return (.more, taken, written)
        default: return (.damaged, taken, written)
        }
    }

    func reset() -> Bool { false }
}
#endif
