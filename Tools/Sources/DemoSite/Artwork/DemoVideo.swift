/// The film of the start page: plants that grow for three seconds.
///
/// PNG in QuickTime, as both can be written in a few lines and WebKitGTK plays them with GStreamer's "good" plug-ins
/// alone, seeking included. Other engines may not; the page then keeps the still.
enum DemoVideo {
    /// Where it is served, without the extension, which is `.mov`; its first frame is beside it as `.png`.
    static let stem = "/film/garden"
    /// `Content-Type`.
    static let contentType = "video/quicktime"

    /// The file, made once per process.
    static let bytes: [UInt8] = {
        let writer = QuickTimeWriter(width: width, height: height, rate: rate, coding: "png ")
        return writer.bytes(frames: frames)
    }()

    /// The first frame as a picture.
    static let still: [UInt8] = frames.first ?? []

    private static let frames = (0..<count).map { PNGEncoder.encode(frame(growth: Float($0) / Float(count - 1))) }

    private static let (width, height, rate, count) = (320, 180, 8, 24)

    private static let ground: Canvas = {
        var canvas = Canvas(width: width, height: height, unitsAcross: 160)
        canvas.fill(.box(-1, -1, 162, 92, corner: 0), .vertical(0xBFE3E6, at: 0, 0xF6F0D4, at: 72))
        canvas.fill(.circle(124, 24, 10), .vertical(0xFFE9A6, at: 14, 0xF8C658, at: 34))
        canvas.fill(.ellipse(30, 92, 80, 36), .vertical(0xA9CC8A, at: 56, 0x7FAF6A, at: 80))
        canvas.fill(.ellipse(140, 94, 70, 32), .vertical(0x93BF79, at: 62, 0x6FA25E, at: 80))
        canvas.fill(.box(-4, 70, 168, 40, corner: 5), .vertical(0x8A5A3A, at: 70, 0x5A3724, at: 90))
        return canvas
    }()

    /// A moment of the film; `growth` runs from 0 to 1.
    private static func frame(growth: Float) -> Canvas {
        var canvas = ground
        for (index, x) in [26, 62, 98, 134].enumerated() as EnumeratedSequence<[Float]> {
            let size = 0.34 + 0.66 * growth - Float(index % 2) * 0.05
            let top = 70 - 46 * size
            canvas.fill(.taper(x, 72, 1.5, x, top, 1), .vertical(0x5FA34A, at: top, 0x3B7A35, at: 72))
            for step in 1...4 where Float(step) * 11 < 46 * size {
                let y = 72 - Float(step) * 11
                let reach = (14 - Float(step) * 1.6) * size
                for side: Float in [-1, 1] {
                    let leaf = Shape.ellipse(
                        x + side * reach * 0.6, y - 3, reach * 0.7, reach * 0.3, tilt: (1, -0.5 * side))
                    canvas.fill(leaf, .vertical(0x86C466, at: y - 8, 0x47893F, at: y + 3))
                }
            }
            guard growth > 0.5 else { continue }
            for (dx, dy) in [(-6, 22), (7, 30), (-4, 38)] as [(Float, Float)] where dy < 46 * size {
                let radius = 4.4 * (growth - 0.5) * 2
                let centre = (x: x + dx, y: 74 - dy)
                canvas.fill(
                    .circle(centre.x, centre.y, radius),
                    .radial(0xFF7A55, 0xC62A20, x: centre.x - 1.4, y: centre.y - 1.6, radius: 6))
            }
        }
        return canvas
    }
}
