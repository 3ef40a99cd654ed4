import ArgumentParser
import Foundation
import LarderHost

/// `larder`: web pages from a cache that can say why.
@main
struct LarderTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "larder",
        abstract: "Opens web pages through a standards-exact HTTP cache: online, on a bad network, and offline.",
        version: "larder, not released yet; of which commit it was built is not recorded",
        subcommands: [
            DemoCommand.self, OpenCommand.self, AuditCommand.self, CapabilitiesCommand.self, ProxyCommand.self,
            ExplainCommand.self,
            RulesCommand.self,
            StoreCommand.self, ManifestCommand.self, PreloadCommand.self, SeedCommand.self,
        ])

    /// How a command is called: `larder store list`.
    private static func path(
        of wanted: any ParsableCommand.Type, in command: any ParsableCommand.Type = LarderTool.self
    ) -> String? {
        let name = command.configuration.commandName ?? ""
        if command == wanted { return name }
        for child in command.configuration.subcommands {
            if let rest = path(of: wanted, in: child) { return name + " " + rest }
        }
        return nil
    }

    /// The parser would print this command's help for `larder nothing --help`, as if that were a command.
    private static func refuseUnknownCommand(_ arguments: some Sequence<String>) throws {
        var command: any ParsableCommand.Type = LarderTool.self
        for argument in arguments {
            let children = command.configuration.subcommands
            if children.isEmpty || argument.hasPrefix("-") || argument == "help" { return }
            guard let child = children.first(where: { $0.configuration.commandName == argument }) else {
                let names = children.compactMap { $0.configuration.commandName }.joined(separator: ", ")
                throw UnknownCommand(
                    message: "There is no command '\(argument)'; there are \(names).", of: path(of: command) ?? "larder"
                )
            }
            command = child
        }
    }

    /// The call names no command.
    struct UnknownCommand: Error {
        var message: String
        /// The command whose help tells which there are.
        var command: String

        init(message: String, of command: String) { (self.message, self.command) = (message, command) }
    }

    /// Exit status 0; 1 when the answer is no; 2 for bad use; 70 for a fault of ours.
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        var parsed: (any ParsableCommand.Type)?
        do {
            try refuseUnknownCommand(CommandLine.arguments.dropFirst())
            var command = try parseAsRoot()
            parsed = type(of: command)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            Console.leave(with: error, of: parsed.flatMap { path(of: $0) })
        }
    }
}
