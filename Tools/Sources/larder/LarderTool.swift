import ArgumentParser
import Foundation
import LarderHost

/// `larder`: web pages from a cache that can say why.
@main
struct LarderTool: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "larder",
        abstract: "Opens web pages through a standards-exact HTTP cache: online, on a bad network, and offline.",
        subcommands: [
            DemoCommand.self, OpenCommand.self, ProxyCommand.self, ExplainCommand.self, RulesCommand.self,
            StoreCommand.self,
        ])

    /// Exit status 0; 1 when the answer is no; 2 for bad use; 70 for a fault of ours.
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            Console.leave(with: error)
        }
    }
}
