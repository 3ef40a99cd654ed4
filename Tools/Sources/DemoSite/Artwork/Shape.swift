/// A region as a signed distance: negative inside, in design units.
struct Shape {
    var minX: Float
    var minY: Float
    var maxX: Float
    var maxY: Float
    let distance: (Float, Float) -> Float

    /// An ellipse. The distance is the usual first-order estimate, exact on the edge.
    ///
    /// - Parameter tilt: Direction of the first radius; any length but zero.
    static func ellipse(
        _ x: Float, _ y: Float, _ radiusX: Float, _ radiusY: Float, tilt: (x: Float, y: Float) = (1, 0)
    ) -> Shape {
        let length = (tilt.x * tilt.x + tilt.y * tilt.y).squareRoot()
        let (cosine, sine) = (tilt.x / length, tilt.y / length)
        let reach = max(radiusX, radiusY)
        return Shape(minX: x - reach, minY: y - reach, maxX: x + reach, maxY: y + reach) { px, py in
            let (dx, dy) = (px - x, py - y)
            let u = (dx * cosine + dy * sine) / radiusX
            let v = (dy * cosine - dx * sine) / radiusY
            let near = (u * u + v * v).squareRoot()
            let (slopeX, slopeY) = (u / radiusX, v / radiusY)
            let slope = (slopeX * slopeX + slopeY * slopeY).squareRoot()
            return slope > 0 ? near * (near - 1) / slope : -min(radiusX, radiusY)
        }
    }

    /// A circle.
    static func circle(_ x: Float, _ y: Float, _ radius: Float) -> Shape {
        ellipse(x, y, radius, radius)
    }

    /// A stroke from one point to another whose radius changes evenly.
    static func taper(
        _ fromX: Float, _ fromY: Float, _ fromRadius: Float, _ toX: Float, _ toY: Float, _ toRadius: Float
    ) -> Shape {
        let (dx, dy) = (toX - fromX, toY - fromY)
        let length = max((dx * dx + dy * dy).squareRoot(), 1e-3)
        let (axisX, axisY) = (dx / length, dy / length)
        // The common tangent of both circles: `lean` is the sine of its angle with the axis.
        let lean = max(-0.999, min(0.999, (fromRadius - toRadius) / length))
        let upright = (1 - lean * lean).squareRoot()
        let reach = max(fromRadius, toRadius)
        return Shape(
            minX: min(fromX, toX) - reach, minY: min(fromY, toY) - reach,
            maxX: max(fromX, toX) + reach, maxY: max(fromY, toY) + reach
        ) { px, py in
            let (ox, oy) = (px - fromX, py - fromY)
            let along = ox * axisX + oy * axisY
            let across = abs(ox * axisY - oy * axisX)
            let place = along * upright - across * lean
            if place <= 0 { return (ox * ox + oy * oy).squareRoot() - fromRadius }
            guard place < upright * length else {
                let beyond = along - length
                return (beyond * beyond + across * across).squareRoot() - toRadius
            }
            return across * upright + along * lean - fromRadius
        }
    }

    /// A rectangle with round corners.
    static func box(_ x: Float, _ y: Float, _ width: Float, _ height: Float, corner: Float) -> Shape {
        let (centreX, centreY) = (x + width / 2, y + height / 2)
        return Shape(minX: x, minY: y, maxX: x + width, maxY: y + height) { px, py in
            let qx = abs(px - centreX) - width / 2 + corner
            let qy = abs(py - centreY) - height / 2 + corner
            let (ox, oy) = (max(qx, 0), max(qy, 0))
            return (ox * ox + oy * oy).squareRoot() + min(max(qx, qy), 0) - corner
        }
    }

    /// A convex polygon, its corners in clockwise order as seen on screen, rounded by `corner`.
    static func convex(_ corners: [(x: Float, y: Float)], corner: Float = 0) -> Shape {
        var edges: [(x: Float, y: Float, normalX: Float, normalY: Float)] = []
        for (index, from) in corners.enumerated() {
            let to = corners[(index + 1) % corners.count]
            let (dx, dy) = (to.x - from.x, to.y - from.y)
            let length = (dx * dx + dy * dy).squareRoot()
            edges.append((from.x, from.y, dy / length, -dx / length))
        }
        let sides = edges
        return Shape(
            minX: corners.map(\.x).min() ?? 0, minY: corners.map(\.y).min() ?? 0,
            maxX: corners.map(\.x).max() ?? 0, maxY: corners.map(\.y).max() ?? 0
        ) { px, py in
            var (first, second) = (-Float.greatestFiniteMagnitude, -Float.greatestFiniteMagnitude)
            for side in sides {
                let reach = (px - side.x) * side.normalX + (py - side.y) * side.normalY + corner
                if reach > first { (first, second) = (reach, first) } else if reach > second { second = reach }
            }
            guard second > 0 else { return first - corner }
            return (first * first + second * second).squareRoot() - corner
        }
    }

    /// What is in both shapes.
    func within(_ other: Shape) -> Shape {
        Shape(minX: minX, minY: minY, maxX: maxX, maxY: maxY) { [distance] in
            max(distance($0, $1), other.distance($0, $1))
        }
    }

    /// What is in this shape and not in the other.
    func without(_ other: Shape) -> Shape {
        Shape(minX: minX, minY: minY, maxX: maxX, maxY: maxY) { [distance] in
            max(distance($0, $1), -other.distance($0, $1))
        }
    }

    /// What is in either shape.
    func joined(_ other: Shape) -> Shape {
        Shape(
            minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY)
        ) { [distance] in
            min(distance($0, $1), other.distance($0, $1))
        }
    }
}
