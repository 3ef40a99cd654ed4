import ArgumentParser
import CacheEngine
import CacheRules
import Dashboard
import Foundation
import HTTPCacheSemantics
import LarderHost
import Preloading

extension AskingClient: ExpressibleByArgument {}

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Says step by step how a request would be answered now, by what is stored.",
        discussion: "Nothing is sent. Exit status 1 means that the store can't answer without the origin.")

    @Argument(help: "An http or https URL.")
    var url: String

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp(
            """
            A field of the request, 'Name: value'; 'Name:' for one that it does not have. With 'Referer: URL' it is \
            asked \
            for as by that page. Repeatable.
            """,
            valueName: "field"))
    var header: [String] = []

    @Option(help: "The request's method.")
    var method = "GET"

    @Option(
        help: """
            The cache mode: default, no-store, reload, no-cache, force-cache, only-if-cached, or \
            reload-ignoring-local. For a page, that of its app's load.
            """)
    var mode = "default"

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            """
            Who asks: proxy, a web view behind the proxy; appScheme, a web view at app-cache-https; data or session, \
            the app itself. A web view adds the fields that it sends, and the cache mode as fields; the app has only \
            those of -H.
            """, valueName: "client"))
    var client = AskingClient.proxy

    @OptionGroup
    var network: ConnectivityOptions

    @Flag(
        name: .customLong("origin-down"), help: "Act as if nothing answered at the server, though there is a network.")
    var originIsDown = false

    @Option(
        help: ArgumentHelp(
            "Look at this account's responses; without it, at those stored for no account.", valueName: "name"))
    var account = ""

    @Option(help: ArgumentHelp("private (a web view's cache) or shared.", valueName: "kind"))
    var cacheKind = "private"

    @Option(help: RulesOptionHelp.byDefault)
    var rules = "default"

    @Option(help: "What the response is for, such as document, script or fetch; without it, what Sec-Fetch-Dest says.")
    var destination: Destination?

    @Option(help: ArgumentHelp("The folder of the store. \(StoreOptions.place)", valueName: "dir"))
    var store: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        guard let mode = CacheMode(rawValue: mode) else {
            let names = CacheMode.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--mode takes one of \(names).")
        }
        guard let kind = CacheKind(rawValue: cacheKind) else {
            throw ValidationError("--cache-kind takes private or shared.")
        }
        let source = RulesSource(rules)
        let reader = try StoreReader(
            directory: store ?? StoreDirectory.standard(),
            rules: try source.rules(), kind: kind)
        let explanation = try await reader.explain(
            as: client, method: method, url: url, fieldLines: header, account: account, mode: mode,
            connectivity: network.connectivity,
            destination: destination, originIsDown: originIsDown)
        if json {
            try Console.say(json: Output(policy: source.name, rules: rules, explanation: explanation))
        } else {
            let text = ExplanationText(
                explanation, policy: source.name, hint: RulesOptionHelp.sameProxy(rules), colours: Console.hasColours,
                width: Console.width)
            Console.say(text.render())
        }
        if !explanation.answer.isFromStore { throw ExitCode(1) }
    }

    /// The explanation's own members, and whose rules they are by.
    private struct Output: Encodable {
        var policy: String
        /// As --rules takes them, also where it was not given.
        var rules: String
        var explanation: Explanation

        private enum CodingKeys: CodingKey { case policy, rules }

        func encode(to encoder: any Encoder) throws {
            try explanation.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(policy, forKey: .policy)
            try container.encode(rules, forKey: .rules)
        }
    }
}
