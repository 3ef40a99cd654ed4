import Testing

@testable import DecodingBrotli

/// Which bytes the decoder hands to the system's one, and what it makes of its answers. That br is decoded can be seen
/// on a device only.
@Suite("Compression as a decoder of br")
struct BrotliDecoderTests {
    @Test("input is taken from its place on, output is filled as far as it fits, and the end comes with the last input")
    func steps() throws {
        let decoder = try #require(BrotliDecoder())
        var output = [UInt8](repeating: 0, count: 4)
        var step = decoder.step([9, 1, 2, 3], from: 1, isLast: false, into: &output)
        #expect(step == (.more, 2, 4) && output == [1, 1, 2, 2])
        step = decoder.step([9, 1, 2, 3], from: 3, isLast: false, into: &output)
        #expect(step == (.more, 1, 2) && output[..<2] == [3, 3])
        step = decoder.step([], from: 0, isLast: false, into: &output)
        #expect(step == (.more, 0, 0))
        step = decoder.step([0], from: 0, isLast: false, into: &output)
        #expect(step == (.more, 0, 0))
        step = decoder.step([0], from: 0, isLast: true, into: &output)
        #expect(step == (.end, 0, 0))
        #expect(!decoder.reset())
    }

    @Test("damage, and an end that never comes")
    func damage() throws {
        let decoder = try #require(BrotliDecoder())
        var output = [UInt8](repeating: 0, count: 4)
        #expect(decoder.step([1, 255], from: 0, isLast: false, into: &output) == (.damaged, 1, 2))
        #expect(try #require(BrotliDecoder()).step([], from: 0, isLast: true, into: &output) == (.more, 0, 0))
        #expect(BrotliDecoder.isAvailable)
    }
}
