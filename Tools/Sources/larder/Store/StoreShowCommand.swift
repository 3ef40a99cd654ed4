import ArgumentParser
import Dashboard
import Foundation
import LarderHost

struct StoreShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Shows the responses stored under a URL: every variant, with its fields.",
        discussion: """
            Exit status 1 means that there is none. 'larder explain URL' says how a request would be answered now; \
            with --rules FILE also under which URL the response is stored, where key rules change it.
            """)

    @Argument(help: "An http or https URL, as store list prints it.")
    var url: String

    @Flag(
        help: """
            Write the content of the variant that was stored last to standard output, in its stored coding. Where only \
            a part is stored, standard error says which.
            """)
    var body = false

    @OptionGroup
    var options: StoreOptions

    func run() async throws {
        let keeper = try await options.keeper()
        if body {
            let isThere = try await keeper.content(url, begin: note(partial:)) { StandardStream.write($0) }
            if !isThere {
                Console.note("larder: " + (try await absence(keeper)))
                throw ExitCode(1)
            }
            return
        }
        let details = try await keeper.show(url)
        if options.json {
            try Console.say(json: details)
        } else {
            let now = Console.now.sinceEpoch / .seconds(1)
            let texts = details.map { StoredDetailText($0, now: now, colours: Console.hasColours).render() }
            Console.say(texts.isEmpty ? try await absence(keeper) : texts.joined(separator: "\n\n"))
        }
        if details.isEmpty { throw ExitCode(1) }
    }

    private func absence(_ keeper: StoreKeeper) async throws -> String {
        ["nothing is stored for it", try await keeper.past(url)].compactMap { $0 }.joined(separator: ". ")
    }

    /// On standard error, so that the content stays what it is.
    private func note(partial: String?) {
        guard let partial else { return }
        Console.warn("The stored content is not complete: \(partial).", json: options.json)
    }
}
