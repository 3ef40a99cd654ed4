/// The table of visits in as many columns as fit.
struct TerminalColumns {
    private let pairs: [VisitPair]
    private let ink: TerminalInk
    private let columns: [TerminalColumn]
    private let barWidth: Int

    /// False where the answers by outcome had no room.
    let showsAnswers: Bool

    private static let gap = 2
    private static let bestBar = 8...32

    /// - Parameters:
    ///   - width: Most cells of a line.
    init(pairs: [VisitPair], width: Int, ink: TerminalInk) {
        self.pairs = pairs
        self.ink = ink
        // From the richest form to the barest; the bar gives way to the answers, the answers to the figures.
        let forms: [(columns: [TerminalColumn], bar: Int)] = [
            (Self.all(pairs, isWide: true), Self.bestBar.lowerBound),
            (Self.all(pairs, isWide: false), Self.bestBar.lowerBound),
            (Self.figures(pairs, isWide: true), Self.bestBar.lowerBound),
            (Self.figures(pairs, isWide: false), Self.bestBar.lowerBound),
            (Self.figures(pairs, isWide: false), 0),
            (Self.figures(pairs, isWide: false).filter { $0.isEssential }, 0),
        ]
        let form = forms.first { Self.width(of: $0.columns, bar: $0.bar) <= width } ?? forms[forms.count - 1]
        let excess = max(0, Self.width(of: form.columns, bar: form.bar) - width)
        columns = form.columns.map { $0.isName ? $0.narrowed(by: excess) : $0 }
        showsAnswers = columns.contains { $0.isAnswers }
        barWidth = form.bar == 0 ? 0 : min(width - Self.width(of: columns, bar: 0) - Self.gap, Self.bestBar.upperBound)
    }

    /// Header, rule, then the rows; a rule between visits.
    var lines: [String] {
        guard !pairs.isEmpty else { return [] }
        let total = Self.width(of: columns, bar: barWidth)
        let rule = ink(.dim, String(repeating: "─", count: total))
        let barHeader = barWidth > 0 ? [TerminalText.shortened("load event", to: barWidth)] : []
        let header = (columns.map { $0.fit($0.header) } + barHeader).joined(separator: Self.space)
        let longest = pairs.flatMap(\.visits).compactMap(\.loadEvent).filter { $0.isFinite }.max() ?? 0
        let groups = pairs.map { pair in
            pair.visits.enumerated().map { index, visit in line(visit, isFirst: index == 0, longest: longest) }
        }
        return [ink(.dim, header), rule] + groups.joined() + [rule]
    }

    private func line(_ visit: VisitRecord, isFirst: Bool, longest: Double) -> String {
        let cells = columns.map { column -> String in
            if column.isName { return ink(.bold, column.fit(isFirst ? TerminalText.clean(visit.name) : "")) }
            let cell = column.fit(column.text(visit))
            if column.isFailures, visit.failures > 0 { return ink(.red, cell) }
            return visit.usesLarder ? cell : ink(.dim, cell)
        }
        return (cells + [bar(visit, longest: longest)]).joined(separator: Self.space)
    }

    /// A heavy line for Larder and a light one for the control, so that they differ without colours too.
    private func bar(_ visit: VisitRecord, longest: Double) -> String {
        guard barWidth > 0, longest > 0, let value = visit.loadEvent, value.isFinite, value > 0 else { return "" }
        let halves = max(1, Int((value / longest * Double(barWidth * 2)).rounded()))
        let (whole, half) = visit.usesLarder ? ("━", "╸") : ("─", "╴")
        let text = String(repeating: whole, count: halves / 2) + (halves % 2 == 1 ? half : "")
        return ink(visit.usesLarder ? .cyan : .dim, text)
    }

    private static let space = String(repeating: " ", count: gap)

    private static func width(of columns: [TerminalColumn], bar: Int) -> Int {
        let cells = columns.reduce(0) { $0 + $1.width } + gap * (columns.count - 1)
        return bar > 0 ? cells + gap + bar : cells
    }

    private static func figures(_ pairs: [VisitPair], isWide: Bool) -> [TerminalColumn] {
        TerminalColumn.figures(isWide: isWide).map { $0.measured(pairs) }
    }

    private static func all(_ pairs: [VisitPair], isWide: Bool) -> [TerminalColumn] {
        figures(pairs, isWide: isWide) + [TerminalColumn.answers.measured(pairs)]
    }
}
