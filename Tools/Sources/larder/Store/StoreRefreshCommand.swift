import ArgumentParser
import CacheRules
import Fetching
import HTTPTypes
import LarderHost
import OriginDialing

struct StoreRefreshCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Fetches a URL from its origin, past every cache, and stores the response.",
        discussion: """
            For a URL whose stored response is wrong. The rules decide whether and how the response is stored; if it \
            is not, the command says why. An error page, such as a 404, takes the place of what was stored, as it does \
            in a page. Exit status 1 means that no answer came, that the server refused (401, 403, 500 and above) and \
            its answer was not stored, or that the store could not be written; then the store is unchanged.

            A user name and password in the URL go to its server, and are not printed. The default rules store \
            nothing that was asked for with them.
            """)

    @Argument(help: "An http or https URL.")
    var url: String

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp("A field of the request, 'Name: value'. Repeatable.", valueName: "field"))
    var header: [String] = []

    @Option(help: ArgumentHelp("Store the response for this account; without it, for none.", valueName: "name"))
    var account = ""

    @Option(help: RulesOptionHelp.byDefault)
    var rules = "default"

    @Option(help: "What the response is for, such as document, script or fetch; without it, what Sec-Fetch-Dest says.")
    var destination: Destination?

    @OptionGroup
    var origins: OriginOptions

    @OptionGroup
    var options: StoreOptions

    func run() async throws {
        let source = RulesSource(rules)
        let outcome = try await options.keeper().refresh(
            url, fieldLines: header, account: account, destination: destination, rules: try source.rules(),
            hostMap: try HostMap(origins.hostMap), authorities: origins.originCa)
        let status = outcome.head.status
        if options.json {
            try Console.say(
                json: Result(
                    url: URLUserinfo.removed(from: url), status: status.code, isStored: outcome.isStored,
                    storedAs: outcome.uri, policy: source.name, rule: outcome.rule,
                    notStored: outcome.notStored?.reason, why: outcome.notStored?.words))
        } else if let reason = outcome.notStored {
            Console.say("\(status.code) \(status.reasonPhrase): not stored. \(reason.words)")
        } else {
            let address = outcome.uri == (try? StoreKeeper.uri(url)) ? "" : " as \(outcome.uri)"
            let author =
                outcome.rule.map { "by the rule '\($0)' of \(source.name)" }
                ?? (source == .protocolOnly ? "by RFC 9111 alone" : "no rule of \(source.name) has a verdict")
            let warning = status.code < 400 ? "" : "; web views get this error until it is removed or refreshed again"
            Console.say("\(status.code) \(status.reasonPhrase): stored\(address), \(author)\(warning)")
        }
        guard let reason = outcome.notStored else { return }
        if [401, 403].contains(status.code) || status.kind == .serverError {
            Console.warn("The server refused the request (\(status.code))\(help(for: status)).", json: options.json)
        } else if !reason.isStoreFailure {
            return
        }
        throw ExitCode(1)
    }

    private func help(for status: HTTPResponse.Status) -> String {
        guard status.code == 401 else { return "" }
        let hasLogin =
            URLUserinfo.split(url).userinfo?.isEmpty == false
            || header.contains { $0.lowercased().hasPrefix("authorization:") }
        return hasLogin ? "; it does not know this user or password" : "; name the user and the password in the URL"
    }

    private struct Result: Encodable {
        var url: String
        var status: Int
        var isStored: Bool
        /// The address under which it lies, or would.
        var storedAs: String
        var policy: String
        var rule: String?
        /// Why it was not stored, in a word: `rule`, or as `Cache-Status` has it, such as `no-store`.
        var notStored: String?
        /// The same in a sentence.
        var why: String?
    }
}
