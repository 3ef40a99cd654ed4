import Foundation

/// `larder-bench store`: the tiers of the store beside plain files.
enum StoreCommand {
    private static let usage = """
        usage: larder-bench store [--entries N] [--folder FOLDER] [--json]
        --entries  100,000 unless given: 1.3 GB twice, as responses and as files
        --folder   where both are made, and removed at the end; the system's folder for temporary files unless given

        """

    /// - Returns: The exit status: 2 for bad use.
    static func run(_ arguments: [String]) async throws -> Int32 {
        var entries = 100_000
        var folder = NSTemporaryDirectory()
        var asJSON = false
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": asJSON = true
            case "--folder":
                guard let given = rest.popFirst() else { return fail() }
                folder = given
            case "--entries":
                guard let number = rest.popFirst().flatMap(Int.init), number > 0 else { return fail() }
                entries = number
            default: return fail()
            }
        }
        let work = folder + "/larder-bench-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: work) }
        let rows = try await StoreBench(entries: entries, folder: work).measure { tell("\($0) …\n") }
        if asJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            FileHandle.standardOutput.write(try encoder.encode(rows) + Data([0x0A]))
            return 0
        }
        let width = (rows.map(\.name.count).max() ?? 0) + 2
        var lines = [
            "operation".padding(toLength: width, withPad: " ", startingAt: 0) + "    entries       p50       p99"
        ]
        for row in rows {
            let tail = row.p99.map { String(format: "%7.2f", $0) } ?? "      –"
            lines.append(
                row.name.padding(toLength: width, withPad: " ", startingAt: 0)
                    + String(format: "%11d  %8.2f  ", row.entries, row.median) + tail + " " + row.unit)
        }
        FileHandle.standardOutput.write(Data(lines.joined(separator: "\n").utf8) + Data([0x0A]))
        return 0
    }

    private static func fail() -> Int32 {
        tell(usage)
        return 2
    }

    private static func tell(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
