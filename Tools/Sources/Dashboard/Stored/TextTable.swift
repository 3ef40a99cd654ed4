/// Rows under a heading, as wide as they need to be; the last column takes what is left of the line.
struct TextTable {
    struct Column {
        var title: String
        var isRightAligned = false
    }

    let columns: [Column]
    let width: Int
    let ink: TerminalInk

    private static let gap = "  "

    /// - Parameter rows: As many cells each as there are columns.
    func lines(_ rows: [[String]]) -> [String] {
        let cells = ([columns.map(\.title)] + rows).map { $0.map(TerminalText.clean) }
        let widths = columns.indices.map { column in cells.map { TerminalText.width($0[column]) }.max() ?? 0 }
        let used = widths.dropLast().reduce(0) { $0 + $1 + Self.gap.count }
        let rest = max(20, width - used)
        return cells.enumerated().map { number, row in
            let line = row.enumerated().map { column, cell in
                if column == columns.count - 1 { return TerminalText.shortened(cell, to: rest) }
                return TerminalText.fit(cell, to: widths[column], rightAligned: columns[column].isRightAligned)
            }.joined(separator: Self.gap)
            return number == 0 ? ink(.dim, line) : line
        }
    }
}
