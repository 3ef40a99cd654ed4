import ArgumentParser
import CacheRules
import Dashboard
import HTTPTypes
import LarderHost

struct RulesExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Says which rule decides about a request, and why the others do not.",
        discussion: """
            Nothing is sent and no store is read; 'larder explain' says what a store would answer. Rules may look at \
            the response: --content-type and --response-header say what it would be.
            """)

    @Argument(help: "An http or https URL.")
    var url: String

    @Option(
        help: ArgumentHelp(
            "A rules file, - for standard input, default for the rules that web views get, or none.", valueName: "file")
    )
    var rules = "default"

    @Option(
        name: [.customShort("H"), .customLong("header")],
        help: ArgumentHelp("A field of the request, 'Name: value'. Repeatable.", valueName: "field"))
    var header: [String] = []

    @Option(help: "The request's method.")
    var method = "GET"

    @Option(help: "What the response is for, such as document, script or fetch; without it, what Sec-Fetch-Dest says.")
    var destination: Destination?

    @OptionGroup
    var network: ConnectivityOptions

    @Option(help: ArgumentHelp("A field of the response, 'Name: value'. Repeatable.", valueName: "field"))
    var responseHeader: [String] = []

    @Option(help: ArgumentHelp("The response's Content-Type.", valueName: "type"))
    var contentType: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let source = RulesSource(rules)
        let request = try HTTPRequest(method: method, url: url, fieldLines: header)
        let exchange = Exchange(
            request: request, destination: destination ?? Destination(request),
            connectivity: network.connectivity, response: try response())
        let explanation = RulesExplanation(try source.rules(), exchange)
        if json {
            try Console.say(json: explanation)
        } else {
            let text = RulesExplanationText(
                explanation, source: source.name, colours: Console.hasColours, width: Console.width)
            Console.say(text.render())
        }
    }

    /// `nil` where nothing is said about one.
    private func response() throws -> HTTPResponse? {
        guard contentType != nil || !responseHeader.isEmpty else { return nil }
        var fields = try HTTPFields(lines: responseHeader)
        if let contentType { fields[.contentType] = contentType }
        return HTTPResponse(status: .ok, headerFields: fields)
    }
}
