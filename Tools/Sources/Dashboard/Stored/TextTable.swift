/// Rows under a heading, as wide as they need to be; the last column takes what is left of the line.
struct TextTable {
    struct Column {
        var title: String
        var isRightAligned = false
        /// When the column is left out for want of room, the lowest first; `nil` for never.
        var sacrifice: Int?
    }

    let columns: [Column]
    /// The line's width, in cells; `nil` for no end, as of a file.
    let width: Int?
    let ink: TerminalInk

    private static let gap = "  "
    /// Cells that the last column gets before others may stay.
    private static let enough = 40
    private static let least = 20

    /// - Parameter rows: As many cells each as there are columns.
    func lines(_ rows: [[String]]) -> [String] {
        let cells = ([columns.map(\.title)] + rows).map { $0.map(TerminalText.clean) }
        let widths = columns.indices.map { column in cells.map { TerminalText.width($0[column]) }.max() ?? 0 }
        let shown = shownColumns(widths)
        let rest = room(beside: shown, widths).map { max(Self.least, $0) }
        return cells.enumerated().map { number, row in
            let line = shown.map { column in
                guard column == columns.count - 1 else {
                    return TerminalText.fit(
                        row[column], to: widths[column], rightAligned: columns[column].isRightAligned)
                }
                return rest.map { TerminalText.shortenedInside(row[column], to: $0) } ?? row[column]
            }.joined(separator: Self.gap)
            return number == 0 ? ink(.dim, line) : line
        }
    }

    /// All, or those that leave the last one as many cells as it needs or as are enough.
    private func shownColumns(_ widths: [Int]) -> [Int] {
        var shown = Array(columns.indices)
        let wanted = min(widths.last ?? 0, Self.enough)
        while let room = room(beside: shown, widths), room < wanted {
            let victims = shown.filter { columns[$0].sacrifice != nil }
            guard let victim = victims.min(by: { (columns[$0].sacrifice ?? 0) < (columns[$1].sacrifice ?? 0) }) else {
                break
            }
            shown.removeAll { $0 == victim }
        }
        return shown
    }

    private func room(beside shown: [Int], _ widths: [Int]) -> Int? {
        width.map { $0 - shown.dropLast().reduce(0) { $0 + widths[$1] + Self.gap.count } }
    }
}
