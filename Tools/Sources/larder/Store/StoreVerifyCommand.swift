import ArgumentParser
import LarderHost

struct StoreVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Reads every stored response and compares it with checksums, digests and the index.",
        discussion: """
            Changes nothing, but that a store whose index is damaged begins anew, as at each use. Exit status 1 \
            means that \
            something is damaged; what is damaged is never served.
            """)

    @OptionGroup
    var options: StoreOptions

    func run() async throws {
        let report = try await StoreReport.verify(directory: options.directory, at: Console.now)
        if options.json {
            try Console.say(json: report)
        } else {
            for problem in report.problems {
                Console.say(problem.url.map { "\($0): \(problem.message)" } ?? problem.message)
            }
            Console.say(report.summary)
        }
        if !report.problems.isEmpty { throw ExitCode(1) }
    }
}
