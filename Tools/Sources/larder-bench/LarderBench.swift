import Foundation

/// Measures and prints; asserts nothing. `--json` for machines; `--only NAME` for one operation and `--count N` for so
/// many of it a round, as a program that counts instructions wants it. `store` and `manifest` as first word are
/// commands of their own.
@main
enum LarderBench {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.dropFirst().first == "store" { exit(try await StoreCommand.run(Array(arguments.dropFirst(2)))) }
        if arguments.dropFirst().first == "manifest" { exit(try ManifestBench.run(Array(arguments.dropFirst(2)))) }
        func value(of option: String) -> String? {
            arguments.firstIndex(of: option).flatMap { arguments.dropFirst($0 + 1).first }
        }
        let count = max(1, value(of: "--count").flatMap(Int.init) ?? 200_000)
        let only = value(of: "--only")
        let results = DecisionBench().measure(only: only, count: count) + RuleBench().measure(only: only, count: count)
        if arguments.contains("--json") {
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
