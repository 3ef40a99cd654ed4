/// The outline of a bitmap glyph: its borders traced, convex corners rounded with quadratic curves.
struct GlyphOutline {
    /// A point of a contour in font units.
    struct Point {
        var x: Int
        var y: Int
        var isOnCurve: Bool
    }

    /// Closed contours; filled to the right of the direction of travel, as TrueType wants.
    let contours: [[Point]]

    var minX: Int { contours.joined().map(\.x).min() ?? 0 }
    var minY: Int { contours.joined().map(\.y).min() ?? 0 }
    var maxX: Int { contours.joined().map(\.x).max() ?? 0 }
    var maxY: Int { contours.joined().map(\.y).max() ?? 0 }

    /// Traces a glyph.
    ///
    /// - Parameter pixel: Font units per pixel.
    init(_ glyph: PixelFont.Glyph, pixel: Int) {
        contours = Self.trace(glyph).map { corners in
            var points: [Point] = []
            for index in corners.indices {
                let before = corners[(index + corners.count - 1) % corners.count]
                let corner = corners[index]
                let after = corners[(index + 1) % corners.count]
                let (inX, inY) = ((corner.x - before.x).signum(), (corner.y - before.y).signum())
                let (outX, outY) = ((after.x - corner.x).signum(), (after.y - corner.y).signum())
                let (x, y) = (corner.x * pixel, corner.y * pixel)
                guard inX * outY - inY * outX < 0 else {
                    points.append(Point(x: x, y: y, isOnCurve: true))
                    continue
                }
                let radius = pixel * 9 / 20
                points.append(Point(x: x - inX * radius, y: y - inY * radius, isOnCurve: true))
                points.append(Point(x: x, y: y, isOnCurve: false))
                points.append(Point(x: x + outX * radius, y: y + outY * radius, isOnCurve: true))
            }
            return points
        }
    }

    /// The `glyf` record, ISO/IEC 14496-22 §5.3.4; empty for a glyph without contours.
    func record() -> [UInt8] {
        guard !contours.isEmpty else { return [] }
        var record = BigEndianWriter()
        for value in [contours.count, minX, minY, maxX, maxY] { record.write16(value) }
        var end = -1
        for contour in contours {
            end += contour.count
            record.write16(end)
        }
        record.write16(0)
        let points = Array(contours.joined())
        record.append(points.map { $0.isOnCurve ? 1 : 0 })
        for (index, point) in points.enumerated() { record.write16(point.x - (index > 0 ? points[index - 1].x : 0)) }
        for (index, point) in points.enumerated() { record.write16(point.y - (index > 0 ? points[index - 1].y : 0)) }
        return record.bytes
    }

    private struct Corner: Hashable {
        var x: Int
        var y: Int
    }

    /// Borders as loops of corners, y upwards from the baseline, the ink to the right.
    private static func trace(_ glyph: PixelFont.Glyph) -> [[Corner]] {
        var next: [Corner: [Corner]] = [:]
        var starts: [Corner] = []
        let height = glyph.rows.count
        func edge(_ fromX: Int, _ fromY: Int, _ toX: Int, _ toY: Int) {
            let from = Corner(x: fromX, y: fromY)
            next[from, default: []].append(Corner(x: toX, y: toY))
            starts.append(from)
        }
        for row in 0..<height {
            for column in 0..<glyph.width where glyph.isSet(column, row) {
                let (top, bottom) = (height - row, height - row - 1)
                if !glyph.isSet(column, row - 1) { edge(column, top, column + 1, top) }
                if !glyph.isSet(column + 1, row) { edge(column + 1, top, column + 1, bottom) }
                if !glyph.isSet(column, row + 1) { edge(column + 1, bottom, column, bottom) }
                if !glyph.isSet(column - 1, row) { edge(column, bottom, column, top) }
            }
        }
        var loops: [[Corner]] = []
        for start in starts {
            var loop: [Corner] = []
            var (here, came) = (start, Corner(x: 0, y: 0))
            while var ways = next[here], !ways.isEmpty {
                // Where two pixels touch at a corner only, turning right keeps them apart.
                let turn = ways.firstIndex { came.x * ($0.y - here.y) - came.y * ($0.x - here.x) < 0 } ?? 0
                let way = ways.remove(at: turn)
                next[here] = ways
                let step = Corner(x: way.x - here.x, y: way.y - here.y)
                if step != came || loop.isEmpty { loop.append(here) }
                (here, came) = (way, step)
            }
            guard loop.count > 2 else { continue }
            // The walk may have started in the middle of a straight line.
            let first = Corner(x: (loop[1].x - loop[0].x).signum(), y: (loop[1].y - loop[0].y).signum())
            if first == Corner(x: came.x.signum(), y: came.y.signum()) { loop.removeFirst() }
            loops.append(loop)
        }
        return loops
    }
}
