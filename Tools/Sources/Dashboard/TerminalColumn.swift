/// One column of the terminal's table.
struct TerminalColumn: Sendable {
    let header: String
    var isRightAligned = true
    /// Kept even on the narrowest terminal.
    var isEssential = false
    var isName = false
    var isFailures = false
    var isAnswers = false
    var most = 60
    private(set) var width = 0
    let text: @Sendable (VisitRecord) -> String

    func fit(_ cell: String) -> String {
        TerminalText.fit(cell, to: width, rightAligned: isRightAligned)
    }

    /// Narrower by so many cells, though never without room for a few letters.
    func narrowed(by cells: Int) -> TerminalColumn {
        var column = self
        column.width = max(width - cells, min(width, 4))
        return column
    }

    /// As wide as its widest cell.
    func measured(_ pairs: [VisitPair]) -> TerminalColumn {
        var column = self
        let cells = pairs.flatMap(\.visits).map { TerminalText.width(text($0)) }
        column.width = min(([TerminalText.width(header)] + cells).max() ?? 0, most)
        return column
    }

    static func figures(isWide: Bool) -> [TerminalColumn] {
        [
            TerminalColumn(header: "visit", isRightAligned: false, isEssential: true, isName: true, most: 26) {
                TerminalText.clean($0.name)
            },
            TerminalColumn(header: "", isRightAligned: false, isEssential: true) {
                $0.usesLarder ? "Larder" : "without"
            },
            TerminalColumn(header: isWide ? "first paint" : "paint") {
                Quantity.milliseconds($0.firstContentfulPaint, spread: $0.paintSpread)
            },
            TerminalColumn(header: isWide ? "load event" : "load", isEssential: true) {
                Quantity.milliseconds($0.loadEvent, spread: $0.loadSpread)
            },
            TerminalColumn(header: isWide ? "requests" : "req") { Quantity.count($0.requests) },
            TerminalColumn(header: isWide ? "from origin" : "origin", isEssential: true) {
                Quantity.bytes($0.originBytes)
            },
            TerminalColumn(header: isWide ? "connections" : "conn") { Quantity.count($0.originConnections) },
            TerminalColumn(header: isWide ? "failures" : "fail", isEssential: true, isFailures: true) {
                Quantity.count($0.failures)
            },
        ]
    }

    static let answers = TerminalColumn(header: "answers", isRightAligned: false, isAnswers: true) {
        TerminalText.clean(OutcomeKind.sentence($0.outcomes) ?? Quantity.missing)
    }
}
