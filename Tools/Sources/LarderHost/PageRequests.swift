import CacheEngine
import Dashboard
import Foundation
import HTTPCacheSemantics
import WebVisit

/// The requests of a visit, a line each: when, from where, how much, and for whom.
struct PageRequests {
    private let exchanges: [ExchangeLine]
    private let page: String
    private let ink: TerminalInk
    private let width: Int?
    private let isVerbose: Bool

    /// Lines that are shown without `--verbose`.
    private static let most = 40

    /// - Parameters:
    ///   - page: The page's address; those of its origin are shown without it.
    ///   - width: The terminal's columns; `nil` where nothing is cut.
    init(_ exchanges: [ExchangeLine], page: String, ink: TerminalInk, width: Int?, isVerbose: Bool) {
        self.exchanges = exchanges.sorted { $0.start < $1.start }
        (self.page, self.ink, self.width, self.isVerbose) = (page, ink, width, isVerbose)
    }

    var lines: [String] {
        guard let first = exchanges.first else { return [] }
        // A loop of redirects, or a page that asks again and again, has a line each once.
        var times: [[String]: Int] = [:]
        let all =
            isVerbose
            ? exchanges
            : exchanges.filter { line in
                times[[line.url, Self.answer(line)], default: 0] += 1
                return times[[line.url, Self.answer(line)]] == 1
            }
        let shown = isVerbose ? all[...] : all.prefix(Self.most)
        let rows = shown.map { line in
            let isOurs = line.outcome == ExchangeReport.Outcome.failed.rawValue
            return [
                "\(Int((line.start - first.start).rounded())) ms", Self.answer(line),
                line.status == 200 || isOurs ? "" : "\(line.status)",
                line.bytes > 0 && !isOurs ? "\(ByteCount(line.bytes))" : "",
                line.destination == "unknown" ? "" : line.destination == "empty" ? "fetch" : line.destination,
            ]
        }
        let header = ["at", "answer", "", "size", "for"]
        let widths = header.indices.map { column in
            (rows + [header]).map { TerminalText.width($0[column]) }.max() ?? 0
        }
        func fit(_ cells: [String]) -> String {
            cells.indices.map { TerminalText.fit(cells[$0], to: widths[$0], rightAligned: $0 == 0 || $0 == 3) }
                .joined(separator: "  ")
        }
        let room = width.map { max(20, $0 - widths.reduce(0) { $0 + $1 + 2 } - 4) }
        var lines = ["", "  " + ink(.bold, fit(header) + "  URL")]
        for (line, cells) in zip(shown, rows) {
            let count = times[[line.url, Self.answer(line)]] ?? 1
            let url =
                String(repeating: "  ", count: depth(of: line)) + (line.method == "GET" ? "" : line.method + " ")
                + AddressesByWords.address(line.url, on: page)
                + (count > 1 ? "  × \(count)" : "")
            let cut = TerminalText.clean(room.map { TerminalText.shortenedInside(url, to: $0) } ?? url)
            lines.append("  " + ink(Self.style(of: line), fit(cells)) + "  " + cut)
            guard isVerbose else { continue }
            let details = [line.cacheStatus, line.notStored, line.storeFailure, line.failure].compactMap { $0 }
            let indent = String(repeating: " ", count: widths[0] + 4)
            lines += details.map { indent + ink(.dim, TerminalText.clean($0)) }
        }
        let rest = all.count - shown.count
        if rest > 0 { lines.append("  … and \(rest) more; --verbose shows all") }
        return lines
    }

    /// From the store or from the server, in words.
    static func answer(_ line: ExchangeLine) -> String {
        guard let outcome = ExchangeReport.Outcome(rawValue: line.outcome) else { return line.outcome }
        let isAhead = line.ahead == true
        let words =
            switch outcome {
            case .staleHit where line.failure != nil:
                status(in: line).map { "stored, status \($0)" } ?? "stored, no answer"
            case .forwarded where line.isConfirmed: "confirmed"
            case .stored where isAhead: "fetched ahead"
            case .failed where isAhead: "failed ahead"
            default: OutcomeKind(rawValue: outcome.rawValue)?.words ?? outcome.rawValue
            }
        return line.background && !isAhead ? words + ", behind" : words
    }

    /// The status that the server answered with, where the stored response took its place.
    private static func status(in line: ExchangeLine) -> Substring? {
        line.cacheStatus.firstRange(of: "fwd-status=").map { line.cacheStatus[$0.upperBound...].prefix { $0.isNumber } }
    }

    private static func style(of line: ExchangeLine) -> TerminalInk.Style {
        if line.status >= 400 { return .red }
        return line.background ? .dim : line.outcome.hasSuffix("hit") || line.outcome == "validated" ? .green : .cyan
    }

    /// How many files stand between the page and what this was asked for by.
    private func depth(of line: ExchangeLine) -> Int {
        var (depth, asking) = (0, line.referrer)
        while depth < 3, let url = asking, let parent = exchanges.first(where: { $0.url == url }), parent != line {
            guard parent.destination != "document" else { return depth + 1 }
            (depth, asking) = (depth + 1, parent.referrer)
        }
        return depth
    }
}
