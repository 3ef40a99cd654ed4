import ArgumentParser
import CacheRules
import Dashboard
import Foundation
import LarderHost

struct RulesCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Reads a rules file and shows everything that is wrong with it, and where.",
        discussion: "Exit status 1 means that there are problems, 2 that the file can't be read.")

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
                    json: Result(file: document.name, rules: rules.rules.count, keyRules: rules.keyRules.count))
            } else {
                let keyRules = rules.keyRules.isEmpty ? "" : ", " + Self.count(rules.keyRules.count, "key rule")
                Console.say("\(document.name): \(Self.count(rules.rules.count, "rule"))\(keyRules): fine")
            }
        } catch let error as UnusableRules {
            if json {
                try Console.say(json: Result(file: document.name, problems: error.problems.map(Result.Problem.init)))
            } else {
                let text = RulesProblemText(
                    file: document.name, bytes: document.bytes, problems: error.problems,
                    colours: Console.hasColours, width: Console.width)
                Console.say(text.render() + error.count)
            }
            throw ExitCode(1)
        }
    }

    private static func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    private struct Result: Encodable {
        var file: String
        /// Left out where there are problems.
        var rules: Int?
        var keyRules: Int?
        var problems: [Problem] = []

        struct Problem: Encodable {
            var line: Int?
            var column: Int?
            var message: String

            init(_ problem: RulesFileError.Problem) {
                (line, column, message) = (problem.line, problem.column, problem.message)
            }
        }
    }
}
