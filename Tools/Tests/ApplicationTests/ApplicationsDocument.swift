import Foundation
import Locking

/// What came of an application in one mode.
struct ApplicationRow: Sendable {
    var application: String
    var mode: String
    var cells: [String] = []

    mutating func add(
        _ visit: ApplicationStage.Visit, _ outcome: ApplicationStage.Outcome, asIn direct: ApplicationStage.Outcome
    ) {
        let errors = outcome.errors.subtracting(direct.errors).count
        var result = outcome.failure.map { "fails at \($0.prefix(60))" } ?? "works"
        if visit == .offline, outcome.onlyOpened {
            result = outcome.text.isEmpty ? "an empty page" : "opens: “\(outcome.text.prefix(80))…”"
        }
        let console = errors == 0 ? "" : ", \(errors) new \(errors == 1 ? "error" : "errors")"
        cells.append("\(result) (\(outcome.hits)/\(outcome.requests)\(console))")
    }
}

/// docs/applications.md, which `make applications` writes.
enum ApplicationsDocument {
    private static let rows = LockedBox<[String: [ApplicationRow]]>([:])
    private static let appSchemeRows = LockedBox<[String: AppSchemeRow]>([:])
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../docs/applications.md").standardizedFileURL
    private static let appSchemeHeading = "\n## At the app-cache scheme\n"

    /// Writes its part of the document once all applications are done, with LARDER_WRITE_APPLICATIONS in the
    /// environment.
    static func keep(_ new: [ApplicationRow], of application: Application) throws {
        let all = rows.withLock { rows in
            rows[application.name] = new
            return rows
        }
        guard let versions = versions(all.count) else { return }
        var lines = [introduction.replacingOccurrences(of: "VERSIONS", with: versions), ""]
        lines += ["| application | mode | cold | warm | offline |", "|---|---|---|---|---|"]
        for row in Application.all.flatMap({ all[$0.name] ?? [] }) {
            let cells = row.cells.map { $0.replacingOccurrences(of: "|", with: "\\|") }
            lines.append("| \(row.application) | \(row.mode) | \(cells.joined(separator: " | ")) |")
        }
        try write(lines.joined(separator: "\n") + "\n", parts().appScheme)
    }

    /// The same of the part about the app-cache scheme.
    static func keep(_ row: AppSchemeRow, of application: Application) throws {
        let all = appSchemeRows.withLock { rows in
            rows[application.name] = row
            return rows
        }
        guard versions(all.count) != nil else { return }
        var lines = [appSchemeIntroduction, ""]
        lines.append(
            "| application | | requests | past Larder, as its server saw it | as the script counted | document | offline |"
        )
        lines.append("|---|---|---|---|---|---|---|")
        lines += Application.all.compactMap { all[$0.name]?.line }
        let reasons = Application.all.compactMap { application -> String? in
            guard case .fails(let step, let reason) = application.atAppScheme else { return nil }
            return "- \(application.name), \(step): \(reason)."
        }
        if !reasons.isEmpty { lines += ["", "Their own design does not permit:", ""] + reasons }
        try write(parts().others, appSchemeHeading + lines.joined(separator: "\n") + "\n")
    }

    private static func versions(_ count: Int) -> String? {
        count == Application.all.count ? ProcessInfo.processInfo.environment["LARDER_WRITE_APPLICATIONS"] : nil
    }

    private static func parts() throws -> (others: String, appScheme: String) {
        let text = try String(contentsOf: file, encoding: .utf8)
        let place = text.range(of: appSchemeHeading)?.lowerBound ?? text.endIndex
        return (String(text[..<place]), String(text[place...]))
    }

    private static func write(_ others: String, _ appScheme: String) throws {
        try (others + appScheme).write(to: file, atomically: true, encoding: .utf8)
    }

    private static let appSchemeIntroduction = """

        In the mode `appScheme` a server in front of each application speaks TLS, as `https://localhost`. The console's errors,
        and the document at the end as its scripts read it, are compared with the page past Larder. Numbers, drawn names and
        differences between two visits past Larder do not count. Requests past Larder have a port of their own at the server
        in front, so that none can hide. WebSockets are not turned: a page that makes their address of `location.protocol`
        asks for `ws:`, and gets it where its host is loopback.
        """

    private static let introduction = """
        # Real applications

        `make applications` fetches applications from the Python package index, starts each on 127.0.0.1, and uses it in a
        real web view: opens it, types, navigates, goes back (`Tools/Tests/ApplicationTests/Application.swift`). It does so
        without Larder, then in the modes `proxy` and `httpsScheme` ([modes](modes.md)): with an empty store (cold), in a new
        web view without data of its own (warm), and when the server has ended and there is no network (offline).
        `ApplicationTests` fails when a step does, or when the console has an error that it has not without Larder; offline,
        errors are counted only.

        Measured with VERSIONS.

        Offline a site of documents works. Applications that ask their server for all that they show open, and can't do more;
        where the server forbids to store even the first document, there is our page that says so. In brackets: how many
        requests the store answered, alone or with a validation, of how many.
        """
}
