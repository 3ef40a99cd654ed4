import Foundation

/// What came of an application at the app-cache scheme.
struct AppSchemeRow: Sendable {
    var application: Application
    /// Cold, warm, offline.
    private var results: [String] = []
    /// Of the cold visit and the warm one: what the server saw, what the script counted, and the document.
    private var figures: [[String]] = []

    init(application: Application) { self.application = application }

    /// - Parameter difference: Tags of the document that differ from those of the page at https.
    mutating func add(_ outcome: ApplicationStage.Outcome, _ difference: [String]) {
        let sockets = outcome.past.count { $0.hasPrefix("WebSocket") }
        let past = outcome.past.count - sockets
        let counted = outcome.addresses.map { "\($0.escaped), \($0.repaired) turned late" } ?? "none"
        results.append(Self.result(outcome))
        figures.append([
            "\(outcome.requests)", sockets == 0 ? "\(past)" : "\(past), and \(sockets) WebSockets", counted,
            difference.isEmpty ? "equal" : "\(difference.count) tags differ",
        ])
    }

    mutating func addOffline(_ outcome: ApplicationStage.Outcome) {
        results.append(outcome.onlyOpened ? "opens: “\(outcome.text.prefix(80))…”" : Self.result(outcome))
    }

    private static func result(_ outcome: ApplicationStage.Outcome) -> String {
        outcome.failure.map { "fails at \($0.prefix { $0 != ":" })" } ?? "works"
    }

    /// A row of the document's table.
    var line: String {
        let columns = figures.first.map { $0.indices.map { place in figures.map { $0[place] } } } ?? []
        let cells = columns.map { cells in Set(cells).count == 1 ? cells[0] : cells.joined(separator: "; ") }
        let online = Set(results.dropLast()).count == 1 ? Array(results.prefix(1)) : Array(results.dropLast())
        let all = [online.joined(separator: "; ")] + cells + results.suffix(1)
        let escaped = all.map { $0.replacingOccurrences(of: "|", with: "\\|") }
        return "| \(application.name) | \(escaped.joined(separator: " | ")) |"
    }
}
