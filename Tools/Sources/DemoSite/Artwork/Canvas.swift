/// An RGB raster that paints anti-aliased shapes given in design units.
///
/// Shapes are signed distance functions, so an edge is smooth at any size and the same scene gives the 1x and the 2x
/// picture. Only `+ - * /` and square root are used: IEEE 754 makes those exact, so every platform paints the same
/// bytes, which `sin` or `pow` of a C library would not promise.
struct Canvas {
    /// Pixels across.
    let width: Int
    /// Pixels down.
    let height: Int
    /// Pixels per design unit.
    let scale: Float
    /// Red, green and blue, row by row from the top.
    private(set) var pixels: [UInt8]

    /// A black canvas.
    ///
    /// - Parameters:
    ///   - width: Pixels across.
    ///   - height: Pixels down.
    ///   - unitsAcross: Design units across.
    init(width: Int, height: Int, unitsAcross: Float) {
        self.width = width
        self.height = height
        scale = Float(width) / unitsAcross
        pixels = [UInt8](repeating: 0, count: width * height * 3)
    }

    /// Paints a shape over what is there.
    ///
    /// - Parameters:
    ///   - shape: Where to paint.
    ///   - paint: With which colours.
    ///   - blur: Width of the soft edge in design units; zero is a one pixel edge.
    mutating func fill(_ shape: Shape, _ paint: Paint, blur: Float = 0) {
        let edge = max(1, blur * scale)
        let margin = blur + 1
        let left = max(0, Int((shape.minX - margin) * scale))
        let right = min(width, Int((shape.maxX + margin) * scale) + 1)
        let top = max(0, Int((shape.minY - margin) * scale))
        let bottom = min(height, Int((shape.maxY + margin) * scale) + 1)
        guard left < right, top < bottom else { return }
        let (width, scale) = (width, scale)
        pixels.withUnsafeMutableBufferPointer { pixels in
            for row in top..<bottom {
                let y = (Float(row) + 0.5) / scale
                for column in left..<right {
                    let x = (Float(column) + 0.5) / scale
                    var coverage = 0.5 - shape.distance(x, y) * scale / edge
                    if coverage <= 0 { continue }
                    if coverage > 1 { coverage = 1 }
                    let colour = paint.colour(x, y)
                    let alpha = colour.alpha * coverage
                    let base = (row * width + column) * 3
                    pixels[base] = mix(pixels[base], colour.red, alpha)
                    pixels[base + 1] = mix(pixels[base + 1], colour.green, alpha)
                    pixels[base + 2] = mix(pixels[base + 2], colour.blue, alpha)
                }
            }
        }
    }

    /// Paper grain: moves every pixel by a small amount that depends on its place only.
    ///
    /// - Parameters:
    ///   - seed: Which grain.
    ///   - size: Pixels across one grain.
    mutating func grain(seed: UInt32, size: Int) {
        let (width, height) = (width, height)
        pixels.withUnsafeMutableBufferPointer { pixels in
            for row in 0..<height {
                for column in 0..<width {
                    var hash = UInt32(truncatingIfNeeded: row / size) &* 0x9E37_79B1
                    hash = (hash ^ UInt32(truncatingIfNeeded: column / size) ^ seed) &* 0x85EB_CA6B
                    hash = (hash ^ (hash >> 13)) &* 0xC2B2_AE35
                    let shift = Int((hash >> 16) % 5) - 2
                    let base = (row * width + column) * 3
                    for channel in base..<base + 3 {
                        pixels[channel] = UInt8(clamping: Int(pixels[channel]) + shift)
                    }
                }
            }
        }
    }
}

private func mix(_ under: UInt8, _ over: Float, _ alpha: Float) -> UInt8 {
    let value = Float(under) + (over - Float(under)) * alpha
    return UInt8(max(0, min(255, value + 0.5)))
}
