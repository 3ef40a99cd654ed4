import ArgumentParser
import Dashboard
import Foundation
import LarderHost

struct StoreShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows what is stored under a URL: every variant, with its fields.",
        discussion: """
            Exit status 1 means that nothing is. 'larder explain URL' says what would be made of it, and, where rules \
            say what of an address counts, with --rules FILE under which one it is stored.
            """)

    @Argument(help: "An http or https URL, as store list prints it.")
    var url: String

    @Flag(help: "Write the content of the variant that was stored last to standard output, in its stored coding.")
    var body = false

    @OptionGroup
    var options: StoreOptions

    func run() async throws {
        let keeper = try options.keeper()
        if body {
            let isThere = try await keeper.content(url) { FileHandle.standardOutput.write($0) }
            if !isThere { throw ExitCode(1) }
            return
        }
        let details = try await keeper.show(url)
        if options.json {
            try Console.say(json: details)
        } else {
            let now = Console.now.sinceEpoch / .seconds(1)
            let texts = details.map { StoredDetailText($0, now: now, colours: Console.hasColours).render() }
            Console.say(texts.isEmpty ? "nothing" : texts.joined(separator: "\n\n"))
        }
        if details.isEmpty { throw ExitCode(1) }
    }
}
