import ArgumentParser
import Foundation
import LarderHost

struct StoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Looks after a store.", subcommands: [VerifyCommand.self])

    struct VerifyCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Reads everything that is stored and holds it against checksums, digests and the index.",
            discussion: "Changes nothing. Exit status 1 means that something is wrong; it is never served.")

        @Option(help: "The folder of the store.")
        var store: String?

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let report = try await StoreReport.verify(directory: store ?? StoreDirectory.standard())
            if json {
                try Console.say(json: report)
            } else {
                for problem in report.problems {
                    Console.say(problem.uri.map { "\($0): \(problem.message)" } ?? problem.message)
                }
                Console.say(report.summary)
            }
            if !report.problems.isEmpty { throw ExitCode(1) }
        }
    }
}
