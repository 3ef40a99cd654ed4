/// The pictures of the sample site: eight products and one landscape, painted once per process.
enum Artwork {
    /// Names of the product pictures, in catalogue order.
    static let products = ["tomato", "carrot", "avocado", "lemon", "bread", "cheese", "blueberry", "aubergine"]

    /// Every picture as PNG by file name, such as `tomato@2x.png`.
    static let pngs: [String: [UInt8]] = {
        var files: [String: [UInt8]] = [:]
        for (name, density) in [("", 1), ("@2x", 2)] {
            for product in products {
                files["\(product)\(name).png"] = PNGEncoder.encode(picture(product, density: density))
            }
            files["fields\(name).png"] = PNGEncoder.encode(landscape(density: density))
        }
        return files
    }()

    /// A product on its backdrop; 200 by 160 pixels at density 1.
    private static func picture(_ name: String, density: Int) -> Canvas {
        var canvas = Canvas(width: 200 * density, height: 160 * density, unitsAcross: 100)
        switch name {
        case "tomato": tomato(&canvas)
        case "carrot": carrot(&canvas)
        case "avocado": avocado(&canvas)
        case "lemon": lemon(&canvas)
        case "bread": bread(&canvas)
        case "cheese": cheese(&canvas)
        case "blueberry": blueberry(&canvas)
        default: aubergine(&canvas)
        }
        canvas.grain(seed: 7, size: density)
        return canvas
    }

    /// The picture on top of the start page; 400 by 230 pixels at density 1.
    private static func landscape(density: Int) -> Canvas {
        var canvas = Canvas(width: 400 * density, height: 230 * density, unitsAcross: 200)
        let cypresses: [(Float, Float, Float)] = [
            (172, 78, 5), (179, 77, 7), (187, 76, 5.5), (113, 75, 3.6), (118, 75.5, 4.6),
        ]
        canvas.fill(.box(-1, -1, 202, 117, corner: 0), .vertical(0xFDE9BC, at: 0, 0xF6B981, at: 82))
        canvas.fill(.circle(156, 50, 44), .glow(x: 156, y: 50, radius: 44, strength: 0.55))
        canvas.fill(.circle(156, 50, 14), .vertical(0xFFF6DC, at: 34, 0xFFE0A0, at: 64))
        canvas.fill(.ellipse(40, 106, 100, 42), .vertical(0xC2B57C, at: 64, 0x8E9A63, at: 100))
        canvas.fill(.ellipse(165, 110, 84, 38), .vertical(0xA6AD6B, at: 72, 0x77905A, at: 106))
        for (x, y, size) in cypresses {
            canvas.fill(
                .taper(x, y - size * 2.4, 0.4, x, y, size * 0.5), .vertical(0x5E7B4F, at: y - 16, 0x3F5C3C, at: y))
        }
        let field = Shape.ellipse(95, 140, 150, 56)
        canvas.fill(field, .vertical(0x7FA653, at: 84, 0x4D7C3C, at: 116))
        for index in 0..<13 {
            let foot = Float(index) * 30 - 100
            let row = Shape.taper(112 + (foot - 80) * 0.16, 83, 0.3, foot, 126, 5)
            canvas.fill(row.within(field), .vertical(0x5F9146, at: 84, 0x2F6636, at: 114))
            let crest = Shape.taper(111.5 + (foot - 80) * 0.16, 83, 0.1, foot - 3, 126, 1.6)
            canvas.fill(crest.within(field), .vertical(0x9CC267, at: 84, 0x5E9C4B, at: 114))
        }
        farmhouse(&canvas, x: 128, y: 69)
        canvas.grain(seed: 3, size: density)
        return canvas
    }

    private static func farmhouse(_ canvas: inout Canvas, x: Float, y: Float) {
        canvas.fill(.box(x, y, 20, 17, corner: 0.6), .vertical(0xFBF4E6, at: y, 0xE8D9BE, at: y + 18))
        let roof = Shape.convex([(x - 3, y + 1.5), (x + 10, y - 10), (x + 23, y + 1.5)], corner: 0.8)
        canvas.fill(roof, .vertical(0xC8553D, at: y - 10, 0x9F3F2F, at: y + 2))
        canvas.fill(.box(x + 7, y + 7, 6, 10, corner: 0.6), .solid(0x7A4B35))
        for window in [x + 2, x + 14.8] { canvas.fill(.box(window, y + 4.5, 3.4, 3.4, corner: 0.4), .solid(0x7FA7B8)) }
        canvas.fill(.circle(x + 28, y + 11, 6), .radial(0x86B45A, 0x4C7D3D, x: x + 26, y: y + 8, radius: 9))
        canvas.fill(.circle(x + 35, y + 14, 4.6), .radial(0x9CC267, 0x5A8C45, x: x + 33.5, y: y + 12, radius: 7))
    }

    /// A backdrop, lit from above, with the shadow of what will stand on it.
    private static func backdrop(_ canvas: inout Canvas, _ top: UInt32, _ bottom: UInt32, shadow: (Float, Float, Float))
    {
        canvas.fill(.box(-1, -1, 102, 82, corner: 0), .vertical(top, at: 0, bottom, at: 80))
        canvas.fill(.circle(50, 36, 46), .glow(x: 50, y: 36, radius: 46, strength: 0.5))
        canvas.fill(.ellipse(shadow.0, shadow.1, shadow.2, 4.5), .solid(0x2A2118, alpha: 0.3), blur: 7)
    }

    private static func tomato(_ canvas: inout Canvas) {
        backdrop(&canvas, 0xFFE3D6, 0xF7B9A0, shadow: (51, 66, 25))
        let body = Shape.ellipse(41, 45, 19, 20).joined(.ellipse(60, 45, 19, 20)).joined(.ellipse(50, 46, 18, 20.5))
        canvas.fill(body, .radial(0xFF6B4A, 0xC4241F, x: 42, y: 36, radius: 40))
        canvas.fill(.ellipse(37, 38, 6, 9, tilt: (0.8, 0.5)), .glow(x: 36, y: 35, radius: 10, strength: 0.75))
        for (x, y) in [(33, 29), (41, 37), (53, 38), (64, 34), (68, 26)] as [(Float, Float)] {
            canvas.fill(.taper(50, 26.5, 2.6, x, y, 0.5), .vertical(0x5C9E3F, at: 22, 0x2F6F32, at: 38))
        }
        canvas.fill(.taper(50, 27, 2, 54, 16, 1.5), .vertical(0x6FAE48, at: 16, 0x3B7A35, at: 28))
    }

    private static func carrot(_ canvas: inout Canvas) {
        backdrop(&canvas, 0xE6F1DA, 0xBBD7A1, shadow: (62, 67, 20))
        for (x, y, width) in [(22, 9, 2.6), (31, 5, 3), (14, 18, 2.4), (40, 8, 2.4)] as [(Float, Float, Float)] {
            canvas.fill(.taper(35, 26, 1.4, x, y, width), .vertical(0x7DBB55, at: 4, 0x3B7A35, at: 28))
        }
        let root = Shape.taper(38, 29, 11, 77, 64, 1.8)
        canvas.fill(root, .radial(0xFFAA4D, 0xE06A1B, x: 38, y: 24, radius: 46))
        for (x, y, reach) in [(48, 31, 8), (40, 43, 7), (60, 44, 6), (58, 54, 5), (70, 55, 4)]
            as [(Float, Float, Float)]
        {
            let line = Shape.taper(x, y, 0.7, x - reach * 0.55, y + reach * 0.6, 0.3)
            canvas.fill(line.within(root), .solid(0xB94F10, alpha: 0.6))
        }
        canvas.fill(.taper(38, 22.5, 2.2, 58, 40, 0.8), .glow(x: 44, y: 28, radius: 18, strength: 0.6))
    }

    private static func avocado(_ canvas: inout Canvas) {
        backdrop(&canvas, 0xF4EBD3, 0xDCC99B, shadow: (50, 68, 18))
        canvas.fill(.taper(50, 22, 12, 50, 46, 22.5), .vertical(0x4F7A35, at: 8, 0x27472A, at: 70))
        canvas.fill(.taper(50, 22, 10, 50, 46, 20.3), .vertical(0xA9CC5C, at: 10, 0x8DB84A, at: 66))
        canvas.fill(.taper(50, 23, 8, 50, 46, 17.8), .radial(0xF8F0A8, 0xD6DE80, x: 48, y: 38, radius: 30))
        canvas.fill(.circle(50.6, 48.6, 10.6), .solid(0x6E7B2E, alpha: 0.35), blur: 3)
        canvas.fill(.circle(50, 47, 10), .radial(0xB9763F, 0x6B3A1F, x: 46, y: 43, radius: 17))
        canvas.fill(.ellipse(46, 42.6, 3.6, 2.4, tilt: (0.8, -0.6)), .glow(x: 46, y: 42.6, radius: 4.5, strength: 0.85))
    }

    private static func lemon(_ canvas: inout Canvas) {
        backdrop(&canvas, 0xDFF0F2, 0xA9D0D8, shadow: (50, 62, 30))
        let fruit = Shape.ellipse(38, 42, 21, 16.5, tilt: (0.94, -0.34)).joined(.taper(38, 42, 10, 60, 33, 2.6))
            .joined(.taper(38, 42, 9, 17, 50, 2.4))
        canvas.fill(fruit, .radial(0xFFF07A, 0xE8B81E, x: 33, y: 34, radius: 34))
        canvas.fill(.ellipse(32, 35, 8, 3.6, tilt: (0.94, -0.34)), .glow(x: 32, y: 35, radius: 9, strength: 0.85))
        canvas.fill(.circle(66.8, 51.4, 17), .solid(0x5A4A10, alpha: 0.25), blur: 4)
        canvas.fill(.circle(66, 49, 16.6), .solid(0xF2C52B))
        canvas.fill(.circle(66, 49, 14.9), .solid(0xFFFBE3))
        let pulp = Shape.circle(66, 49, 13.4)
        canvas.fill(pulp, .radial(0xFFF2A0, 0xF9D648, x: 66, y: 49, radius: 14))
        for (x, y) in [(1, 0), (0.7071, 0.7071), (0, 1), (-0.7071, 0.7071)] as [(Float, Float)] {
            let wall = Shape.taper(66 - 15 * x, 49 - 15 * y, 0.75, 66 + 15 * x, 49 + 15 * y, 0.75)
            canvas.fill(wall.within(pulp), .solid(0xFFFBE3))
        }
        canvas.fill(.circle(66, 49, 2), .solid(0xFFFBE3))
    }

    private static func bread(_ canvas: inout Canvas) {
        backdrop(&canvas, 0xFBE9D2, 0xEAC79B, shadow: (50, 61.5, 31))
        let loaf = Shape.ellipse(50, 46, 36, 20).without(.box(0, 60, 100, 30, corner: 0))
        canvas.fill(loaf, .vertical(0xE0A25A, at: 26, 0x9A5A2A, at: 62))
        canvas.fill(.ellipse(46, 36, 27, 9, tilt: (1, -0.06)), .glow(x: 44, y: 34, radius: 26, strength: 0.4))
        for x: Float in [28, 43, 58, 73] {
            let cut = Shape.taper(x - 3.5, 44 + abs(x - 50) * 0.12, 1.1, x + 4, 31 + abs(x - 50) * 0.18, 2.6)
            canvas.fill(cut.within(loaf), .vertical(0xFBE3B8, at: 30, 0xF0C98C, at: 48))
            let crust = Shape.taper(x - 1.6, 45 + abs(x - 50) * 0.12, 0.5, x + 6.4, 32 + abs(x - 50) * 0.18, 0.8)
            canvas.fill(crust.within(loaf), .solid(0x8A4A20, alpha: 0.55))
        }
    }

    private static func cheese(_ canvas: inout Canvas) {
        backdrop(&canvas, 0xE3E4F6, 0xB7BBE2, shadow: (51, 64.5, 33))
        let side = Shape.convex([(16, 42), (86, 42), (86, 64), (16, 64)], corner: 1.6)
        canvas.fill(side, .vertical(0xFFD257, at: 40, 0xF0A92B, at: 66))
        canvas.fill(
            .convex([(16, 44), (58, 20), (86, 44)], corner: 1.6), .vertical(0xFFEBA3, at: 20, 0xFFDD78, at: 44))
        for (x, y, radius) in [(32, 53, 5), (50, 57, 3.4), (67, 51, 6), (80, 59, 3)] as [(Float, Float, Float)] {
            canvas.fill(
                .circle(x, y, radius).within(side), .vertical(0xB97714, at: y - radius, 0xE09A22, at: y + radius))
        }
        for (x, y, radius) in [(56, 30, 3), (45, 37, 3.4), (66, 37.5, 2.4)] as [(Float, Float, Float)] {
            canvas.fill(.ellipse(x, y, radius * 1.4, radius * 0.7), .vertical(0xDDAA3C, at: y - 2, 0xF5CC62, at: y + 2))
        }
    }

    private static func blueberry(_ canvas: inout Canvas) {
        backdrop(&canvas, 0xEADFF3, 0xC5B1DB, shadow: (50, 67, 32))
        canvas.fill(.ellipse(72, 27, 13, 6, tilt: (0.85, -0.5)), .vertical(0x82BE62, at: 18, 0x3E7F3E, at: 36))
        canvas.fill(.ellipse(57, 20, 10, 5, tilt: (-0.35, 0.95)), .vertical(0x97CC6E, at: 10, 0x4C8C44, at: 32))
        let berries: [(Float, Float, Float)] = [
            (34, 38, 12), (62, 37, 12.5), (49, 52, 13.5), (25, 56, 10), (74, 56, 11),
        ]
        for (x, y, radius) in berries {
            canvas.fill(.circle(x + 0.8, y + 1.6, radius), .solid(0x1A1440, alpha: 0.3), blur: 3)
            canvas.fill(.circle(x, y, radius), .radial(0x8093E0, 0x2C3480, x: x - 4, y: y - 5, radius: radius * 1.6))
            for (dx, dy) in [(0, -1), (0.95, -0.31), (0.59, 0.81), (-0.59, 0.81), (-0.95, -0.31)] as [(Float, Float)] {
                let (centreX, centreY) = (x + 2, y - radius * 0.3)
                canvas.fill(
                    .taper(centreX, centreY, 1.3, centreX + dx * 3.4, centreY + dy * 2.6, 0.5), .solid(0x1E2561))
            }
            canvas.fill(.circle(x - 4, y - 5, 4), .glow(x: x - 4, y: y - 5, radius: 4, strength: 0.55))
        }
    }

    private static func aubergine(_ canvas: inout Canvas) {
        backdrop(&canvas, 0xFFF0C9, 0xF3D58B, shadow: (41, 67.5, 20))
        let body = Shape.taper(63, 28, 9.5, 38, 51, 17.5)
        canvas.fill(body, .radial(0x7A4A9C, 0x2E1640, x: 40, y: 36, radius: 38))
        canvas.fill(.taper(56, 26, 1.6, 30, 44, 3.4), .glow(x: 38, y: 38, radius: 20, strength: 0.6))
        for (x, y) in [(53, 23), (58, 33), (69, 39), (74, 34)] as [(Float, Float)] {
            canvas.fill(.taper(68, 22, 5, x, y, 1), .vertical(0x6FAE48, at: 16, 0x2F6F32, at: 40))
        }
        canvas.fill(.taper(69, 22, 3, 79, 11, 2.2), .vertical(0x86BE57, at: 9, 0x3B7A35, at: 26))
    }
}
