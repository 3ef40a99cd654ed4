import CacheTesting

/// About how often each response was asked for lately: a count-min sketch of four rows that halves itself.
struct FrequencySketch {
    private var rows: [[UInt8]]
    private let mask: Int
    private var additions = 0
    private let period: Int

    /// - Parameter capacity: About how many responses are told apart. Counts are halved after ten times as many.
    init(capacity: Int) {
        var width = 16
        while width < capacity { width *= 2 }
        rows = Array(repeating: Array(repeating: 0, count: width), count: 4)
        mask = width - 1
        period = 10 * max(16, capacity)
    }

    mutating func note(_ response: Int) {
        for row in 0..<4 {
            let column = column(response, row)
            rows[row][column] = min(15, rows[row][column] + 1)
        }
        additions += 1
        if additions == period {
            additions /= 2
            for row in 0..<4 { for column in 0...mask { rows[row][column] /= 2 } }
        }
    }

    func count(_ response: Int) -> Int {
        (0..<4).reduce(15) { min($0, Int(rows[$1][column(response, $1)])) }
    }

    private func column(_ response: Int, _ row: Int) -> Int {
        var mixer = SplitMix64(seed: UInt64(response) &* 4 &+ UInt64(row))
        return Int(truncatingIfNeeded: mixer.next()) & mask
    }
}
