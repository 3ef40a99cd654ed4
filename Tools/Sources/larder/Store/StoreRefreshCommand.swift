import ArgumentParser
import HTTPTypes
import LarderHost
import OriginDialing

struct StoreRefreshCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Fetches a URL past every cache, and stores what comes: for one that is stuck.",
        discussion: "Exit status 1 means that no answer came; what is stored stays then.")

    @Argument(help: "An http or https URL.")
    var url: String

    @Option(
        name: [.customShort("H"), .customLong("header")], help: "A field of the request, 'Name: value'. Repeatable.")
    var header: [String] = []

    @Option(help: "Whose response it is to be; of nobody in particular unless given.")
    var account = ""

    @Option(
        name: .customLong("resolve"),
        help: "Connect elsewhere for a name: host:port:address, or host:port:address:port. Repeatable.")
    var hostMap: [String] = []

    @Option(help: "A PEM file with authorities that origins may have besides the system's.")
    var originCa: String?

    @OptionGroup
    var options: StoreOptions

    func run() async throws {
        let (head, isStored) = try await options.keeper().refresh(
            url, fieldLines: header, account: account, hostMap: try HostMap(hostMap), authorities: originCa)
        if options.json {
            try Console.say(json: Result(url: url, status: head.status.code, isStored: isStored))
        } else {
            let end = isStored ? "stored" : "not stored; 'larder explain' says why"
            Console.say("\(head.status.code) \(head.status.reasonPhrase): \(end)")
        }
    }

    private struct Result: Encodable {
        var url: String
        var status: Int
        var isStored: Bool
    }
}
