import ArgumentParser
import CacheRules
import Dashboard
import Foundation
import LarderHost

struct RulesCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Reads a rules file and shows everything that is wrong with it, and where.",
        discussion: """
            Exit status 1 means that there are problems, 2 that the file can't be read; warnings change nothing.
            """)

    @Argument(help: "The rules file, or - for standard input.")
    var file: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let document = try RulesDocument.read(file)
        do {
            let rules = try document.rules()
            if json {
                try Console.say(
                    json: Result(
                        file: document.name, rules: rules.rules.count, keyRules: rules.keyRules.count,
                        warnings: rules.warnings))
            } else {
                for warning in rules.warnings { Console.say("\(document.name): warning: \(warning)") }
                Console.say("\(document.name): \(rules.sizeInWords)\(rules.warnings.isEmpty ? ": fine" : "")")
            }
        } catch let error as UnusableRules {
            if json {
                try Console.say(json: Result(file: document.name, problems: error.problems.map(RulesProblemLine.init)))
            } else {
                let text = RulesProblemText(
                    file: document.name, bytes: document.bytes, problems: error.problems,
                    colours: Console.hasColours, width: Console.width)
                Console.say(text.render() + error.count)
            }
            throw ExitCode(1)
        }
    }

    private struct Result: Encodable {
        var file: String
        /// Left out where there are problems.
        var rules: Int?
        var keyRules: Int?
        var problems: [RulesProblemLine] = []
        /// Settings that are allowed and most likely not meant.
        var warnings: [String] = []
    }
}
