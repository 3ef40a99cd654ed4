/// A colour with coverage; channels are 0 to 255, `alpha` 0 to 1.
struct Colour {
    var red: Float
    var green: Float
    var blue: Float
    var alpha: Float

    /// A colour from `0xRRGGBB`.
    init(_ rgb: UInt32, alpha: Float = 1) {
        red = Float((rgb >> 16) & 0xFF)
        green = Float((rgb >> 8) & 0xFF)
        blue = Float(rgb & 0xFF)
        self.alpha = alpha
    }

    /// The colour a part of the way towards another; `part` is clamped to 0...1.
    func towards(_ other: Colour, _ part: Float) -> Colour {
        let part = max(0, min(1, part))
        var result = self
        result.red += (other.red - red) * part
        result.green += (other.green - green) * part
        result.blue += (other.blue - blue) * part
        result.alpha += (other.alpha - alpha) * part
        return result
    }
}

/// What a shape is filled with.
struct Paint {
    /// The colour at a place in design units.
    let colour: (Float, Float) -> Colour

    /// One colour.
    static func solid(_ rgb: UInt32, alpha: Float = 1) -> Paint {
        let colour = Colour(rgb, alpha: alpha)
        return Paint { _, _ in colour }
    }

    /// A gradient from one height to another.
    static func vertical(_ top: UInt32, at minY: Float, _ bottom: UInt32, at maxY: Float) -> Paint {
        let (from, to) = (Colour(top), Colour(bottom))
        return Paint { _, y in from.towards(to, (y - minY) / (maxY - minY)) }
    }

    /// A gradient from a centre outwards.
    static func radial(_ inner: UInt32, _ outer: UInt32, x: Float, y: Float, radius: Float) -> Paint {
        let (from, to) = (Colour(inner), Colour(outer))
        return Paint { px, py in
            let (dx, dy) = (px - x, py - y)
            return from.towards(to, (dx * dx + dy * dy).squareRoot() / radius)
        }
    }

    /// White light that fades from a centre outwards.
    static func glow(x: Float, y: Float, radius: Float, strength: Float) -> Paint {
        let (from, to) = (Colour(0xFFFFFF, alpha: strength), Colour(0xFFFFFF, alpha: 0))
        return Paint { px, py in
            let (dx, dy) = (px - x, py - y)
            return from.towards(to, (dx * dx + dy * dy).squareRoot() / radius)
        }
    }
}
