#if !canImport(Compression)
import CBrotli

/// RFC 7932 by the system's libbrotlidec, where it is installed; WebKitGTK comes with it. Memory grows with the content
/// up to its window, 16 MiB at most.
final class BrotliDecoder: Decompressor {
    /// Whether the system has the library.
    static var isAvailable: Bool { larder_brotli_is_available() != 0 }

    private let decoder: OpaquePointer

    /// `nil` without the library or without memory.
    init?() {
        guard let decoder = larder_brotli_decoder_make() else { return nil }
        self.decoder = decoder
    }

    deinit { larder_brotli_decoder_free(decoder) }

    func step(
        _ input: [UInt8], from place: Int, isLast: Bool, into output: inout [UInt8]
    ) -> (result: DecompressionResult, taken: Int, written: Int) {
        var (taken, written) = (max(0, input.count - place), output.count)
        let result = input.withUnsafeBufferPointer { input in
            larder_brotli_decoder_step(decoder, input.baseAddress.map { $0 + place }, &taken, &output, &written)
        }
        switch result {
        case LARDER_BROTLI_END.rawValue: return (.end, taken, written)
        case LARDER_BROTLI_MORE.rawValue: return (.more, taken, written)
        default: return (.damaged, taken, written)
        }
    }

    func reset() -> Bool { false }
}
#endif
