import ArgumentParser
import LarderHost

struct RulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules", abstract: "Checks rules files, and says what rules decide.",
        discussion: """
            'larder rules print > my.json' is a way to begin a file of one's own; docs/rules.schema.json describes \
            what may stand in it, and helps editors. 'larder proxy --rules my.json' runs it.
            """,
        subcommands: [RulesCheckCommand.self, RulesExplainCommand.self, RulesPrintCommand.self])
}
