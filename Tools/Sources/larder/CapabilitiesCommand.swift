import ArgumentParser
import Foundation
import LarderHost
import ViewCare
import WebVisit

struct CapabilitiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "capabilities", abstract: "Measures which kinds of loads each mode carries in the web view here.",
        discussion: """
            Opens a built-in page in a real web view, once for each mode, and prints what worked. Nothing reaches the \
            network, and no store is used. Exit status 1 means that a mode could not be measured at all. docs/modes.md \
            has a longer list.
            """)

    @Option(
        help: ArgumentHelp(
            "Only this mode: proxy, appScheme, or httpsScheme, which only test builds have.", valueName: "mode"))
    var through: InterceptionMode?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if through == InterceptionMode.none {
            throw ValidationError("Without Larder there is nothing to measure; take --through proxy or appScheme.")
        }
    }

    /// The results of one mode.
    private struct Measured: Encodable {
        var mode: String
        var kinds: [CapabilityReport.Result]
        /// Why it could not be measured.
        var problem: String?
    }

    func run() async throws {
        let display = try await Display.find()
        defer { display.stop() }
        var measured: [Measured] = []
        for mode in through.map({ [$0] }) ?? [.proxy, .appScheme] {
            do {
                let report = try await Interruption.withFolder("larder") {
                    try await CapabilityRun.measure(mode, in: $0.path, display: display)
                }
                measured.append(Measured(mode: mode.rawValue, kinds: report.results))
            } catch {
                measured.append(Measured(mode: mode.rawValue, kinds: [], problem: "\(error)"))
            }
        }
        if json { try Console.say(json: measured) } else { Console.say(Self.text(measured)) }
        if measured.contains(where: { $0.problem != nil }) { throw ExitCode(1) }
    }

    /// A line for each kind, a column for each mode, and below what was seen instead.
    private static func text(_ measured: [Measured]) -> String {
        let kinds = measured.first { !$0.kinds.isEmpty }?.kinds.map(\.kind) ?? []
        let width = (kinds.map(\.count).max() ?? 0) + 2
        var lines: [String] = []
        func row(_ name: String, _ cells: [String]) {
            let padded = zip(cells, measured).map { cell, mode in cell.padded(to: mode.mode.count + 3) }
            let line = name.padded(to: width) + padded.joined()
            lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
        }
        if !kinds.isEmpty { row("", measured.map(\.mode)) }
        for kind in kinds {
            row(
                kind,
                measured.map { mode in mode.kinds.first { $0.kind == kind }.map { $0.works ? "yes" : "no" } ?? "-" })
        }
        lines.append("")
        for mode in measured {
            if let problem = mode.problem { lines.append("\(mode.mode): not measured. \(problem)") }
            let missing = mode.kinds.filter { !$0.works }
            guard !mode.kinds.isEmpty else { continue }
            lines.append(
                "\(mode.mode): Larder carries \(mode.kinds.count - missing.count) of \(mode.kinds.count) kinds")
            for kind in missing { lines.append("  not \(kind.kind): \(kind.detail)") }
        }
        return lines.joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
