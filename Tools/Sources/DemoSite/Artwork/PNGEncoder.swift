/// Writes a ``Canvas`` as a PNG: eight bits, RGB, not interlaced. ISO/IEC 15948 (W3C PNG, third edition).
enum PNGEncoder {
    /// The picture as a PNG file.
    static func encode(_ canvas: Canvas) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        var header = BigEndianWriter()
        header.write32(UInt32(canvas.width))
        header.write32(UInt32(canvas.height))
        header.append([8, 2, 0, 0, 0])
        file += chunk("IHDR", header.bytes)
        file += chunk("sRGB", [0])
        file += chunk("IDAT", Deflate.zlib(filtered(canvas)))
        file += chunk("IEND", [])
        return file
    }

    /// Every row under the filter Sub or Up, whichever leaves the smaller sum (PNG §12.7).
    private static func filtered(_ canvas: Canvas) -> [UInt8] {
        let stride = canvas.width * 3
        var output = [UInt8](repeating: 0, count: (stride + 1) * canvas.height)
        canvas.pixels.withUnsafeBufferPointer { pixels in
            output.withUnsafeMutableBufferPointer { output in
                for row in 0..<canvas.height {
                    let start = row * stride
                    let target = row * (stride + 1)
                    var (subSum, upSum) = (0, 0)
                    for column in 0..<stride {
                        let value = pixels[start + column]
                        let sub = column < 3 ? value : value &- pixels[start + column - 3]
                        let up = row == 0 ? value : value &- pixels[start + column - stride]
                        subSum += Int(min(sub, 0 &- sub))
                        upSum += Int(min(up, 0 &- up))
                        output[target + 1 + column] = up
                    }
                    output[target] = 2
                    guard subSum < upSum else { continue }
                    output[target] = 1
                    for column in 0..<stride {
                        let value = pixels[start + column]
                        output[target + 1 + column] = column < 3 ? value : value &- pixels[start + column - 3]
                    }
                }
            }
        }
        return output
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        var writer = BigEndianWriter()
        writer.write32(UInt32(data.count))
        let named = Array(type.utf8) + data
        writer.append(named)
        writer.write32(crc32(named))
        return writer.bytes
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes { sum = crcTable[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
        return ~sum
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        var value = UInt32(index)
        for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
        return value
    }
}
