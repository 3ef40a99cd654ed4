import Foundation

/// `larder-bench store`: the tiers of the store beside other ways to keep responses.
enum StoreCommand {
    private static let usage = """
        usage: larder-bench store [--entries N] [--reads N] [--only WHAT] [--no-peers] [--folder FOLDER] [--json]
        --entries   100,000 unless given: 1.3 GB three times, as responses, as files and in SQLite
        --reads     look-ups of each kind; 20,000 unless given
        --only      opening, memory, reading or storing
        --no-peers  the store alone, which takes the fourth part of the space
        --folder    where all is made, and removed at the end; the system's folder for temporary files unless given

        """

    /// - Returns: The exit status: 2 for bad use.
    static func run(_ arguments: [String]) async throws -> Int32 {
        var plan = StoreBench.Plan()
        var folder = NSTemporaryDirectory()
        var asJSON = false
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": asJSON = true
            case "--no-peers": plan.hasPeers = false
            case "--folder":
                guard let given = rest.popFirst() else { return fail() }
                folder = given
            case "--only":
                guard let measure = rest.popFirst().flatMap(StoreBench.Measure.init) else { return fail() }
                plan.measures = [measure]
            case "--entries", "--reads":
                guard let number = rest.popFirst().flatMap(Int.init), number > 0 else { return fail() }
                if argument == "--reads" { plan.reads = number } else { plan.entries = number }
            default: return fail()
            }
        }
        let work = folder + "/larder-bench-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: work) }
        let rows = try await StoreBench(plan: plan, folder: work).measure { tell("\($0) …\n") }
        if asJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            FileHandle.standardOutput.write(try encoder.encode(rows) + Data([0x0A]))
            return 0
        }
        FileHandle.standardOutput.write(Data(table(rows).utf8))
        return 0
    }

    private static func table(_ rows: [StoreBench.Row]) -> String {
        let width = (rows.map(\.name.count).max() ?? 0) + 2
        var lines = [
            "operation".padding(toLength: width, withPad: " ", startingAt: 0)
                + "    entries       p50       p99       × plain files"
        ]
        for row in rows {
            let tail = row.p99.map { String(format: "%8.2f", $0) } ?? "       –"
            let ratio = row.ratio.map { String(format: "%16.2f", $0) } ?? "               –"
            lines.append(
                row.name.padding(toLength: width, withPad: " ", startingAt: 0)
                    + String(format: "%11d  %8.2f  ", row.entries, row.median) + tail
                    + " \(row.unit.padding(toLength: 3, withPad: " ", startingAt: 0))" + ratio)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func fail() -> Int32 {
        tell(usage)
        return 2
    }

    private static func tell(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
