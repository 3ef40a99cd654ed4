import Foundation

/// Measures and prints; asserts nothing. `--json` for machines.
@main
enum LarderBench {
    static func main() throws {
        let results = DecisionBench().measure()
        if CommandLine.arguments.contains("--json") {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            FileHandle.standardOutput.write(try encoder.encode(results) + Data([0x0A]))
            return
        }
        let width = (results.map(\.name.count).max() ?? 0) + 2
        let heading = "operation".padding(toLength: width, withPad: " ", startingAt: 0) + "        ns   allocations"
        let lines = results.map { result in
            result.name.padding(toLength: width, withPad: " ", startingAt: 0)
                + String(format: "%10.0f  %12.1f", result.nanoseconds, result.allocations)
        }
        FileHandle.standardOutput.write(Data(([heading] + lines).joined(separator: "\n").utf8) + Data([0x0A]))
    }
}
