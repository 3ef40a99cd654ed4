import ArgumentParser
import CacheRules
import Foundation
import LarderHost

struct RulesPrintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print", abstract: "Prints rules as a rules file, in canonical form.",
        discussion: """
            Included rules are written out, every one. A file that only adds to them can instead name them: \
            {"rules": [{"include": "web-view-defaults"}]}.
            """)

    @Option(
        help: ArgumentHelp(
            "A rules file, - for standard input, or default for the rules that web views get.", valueName: "file"))
    var rules = "default"

    @Flag(help: "As every command has it; what is printed is JSON in any case.")
    var json = false

    func run() async throws {
        let text = try RulesSource(rules).rules().json()
        StandardStream.write(Data(text.utf8))
    }
}
