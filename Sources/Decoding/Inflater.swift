import CInflate

/// zlib's inflating, the only place that calls it. Memory does not grow with the content: about 40 KiB.
final class Inflater: Decompressor {
    /// The frame around the compressed data.
    enum Format: Int32 {
        // The numbers are those of zlib's inflateInit2.
        /// RFC 1952.
        case gzip = 31
        /// RFC 1950.
        case zlib = 15
        /// Nothing, RFC 1951.
        case bare = -15
    }

    private let inflater: OpaquePointer

    /// `nil` without memory.
    init?(_ format: Format) {
        guard let inflater = larder_inflater_make(format.rawValue) else { return nil }
        self.inflater = inflater
    }

    deinit { larder_inflater_free(inflater) }

    func step(
        _ input: [UInt8], from place: Int, isLast: Bool, into output: inout [UInt8]
    ) -> (result: DecompressionResult, taken: Int, written: Int) {
        var (taken, written) = (max(0, input.count - place), output.count)
        let result = input.withUnsafeBufferPointer { input in
            larder_inflater_step(inflater, input.baseAddress.map { $0 + place }, &taken, &output, &written)
        }
        switch result {
        case LARDER_INFLATED_END.rawValue: return (.end, taken, written)
        case LARDER_INFLATED_MORE.rawValue: return (.more, taken, written)
        default: return (.damaged, taken, written)
        }
    }

    func reset() -> Bool { larder_inflater_reset(inflater) != 0 }
}
