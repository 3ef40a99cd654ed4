/// The time axis of a waterfall: from zero to a round number of milliseconds, with at most eight steps.
struct TimeAxis {
    /// Milliseconds between two ticks.
    let step: Double
    /// How many steps the axis has.
    let steps: Int

    /// Milliseconds at the right edge.
    var end: Double { step * Double(steps) }
    /// Milliseconds at each tick, both edges included.
    var ticks: [Double] { (0...steps).map { Double($0) * step } }

    init(_ rows: [WaterfallRow]) {
        // A day is far beyond any visit and keeps a damaged figure from flattening the axis to nothing.
        let last = rows.map { min($0.shownStart + $0.shownDuration, 86_400_000) }.max() ?? 0
        let length = max(last, 1)
        var magnitude = 1.0
        while magnitude * 10 <= length { magnitude *= 10 }
        step = [0.2, 0.5, 1, 2].map { $0 * magnitude }.first { length / $0 <= 8 } ?? 2 * magnitude
        steps = max(1, Int((length / step).rounded(.up)))
    }

    /// Where on the axis a time lies, in percent.
    func percent(_ milliseconds: Double) -> Double {
        min(max(milliseconds / end, 0), 1) * 100
    }
}

extension WaterfallRow {
    /// ``start``, or zero where it is no time.
    var shownStart: Double { start.isFinite ? max(start, 0) : 0 }
    /// ``timeToHead``, or zero where it is no time.
    var shownTimeToHead: Double { timeToHead.isFinite ? max(timeToHead, 0) : 0 }
    /// ``duration``, or ``timeToHead`` where that is longer or where there is no duration.
    var shownDuration: Double { max(duration.isFinite ? duration : 0, shownTimeToHead) }
}
