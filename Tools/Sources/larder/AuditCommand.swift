import ArgumentParser
import CacheEngine
import CacheRules
import CachingProxy
import Fetching
import Foundation
import HTTPCacheSemantics
import LarderHost
import OriginDialing
import PageAudit
import WebVisit

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Says what the next visits of a page would find, and what its server should change.",
        discussion: """
            Opens the page once, or reads a HAR file, and plays the visit to a cache of its own: again after a minute, \
            a day and a week, after a deploy, and without a network. Nothing of it is stored.

            Exit status 1 means that the page could not be opened, or that it has fewer points than --fail-under.
            """)

    @Argument(
        help:
            "The page, an http or https URL; or a HAR file, as larder open --har and browsers' developer tools save it."
    )
    var page: String

    @Option(help: ArgumentHelp("Fail below so many of 100 points.", valueName: "points"))
    var failUnder: Int?

    @Option(help: RulesOptionHelp.byDefault)
    var rules = "default"

    @Option(
        help: ArgumentHelp(
            "Give up after this time, such as 90s or 2m; a number alone is seconds. 60s unless set.",
            valueName: "duration"),
        transform: DurationArgument.init)
    var timeout = DurationArgument.seconds(60)

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var origins: OriginOptions

    private var isURL: Bool { page.lowercased().hasPrefix("http://") || page.lowercased().hasPrefix("https://") }

    func validate() throws {
        guard (0...100).contains(failUnder ?? 0) else { throw ValidationError("--fail-under takes 0 to 100.") }
        guard timeout.duration > .zero else { throw ValidationError("--timeout takes more than 0 seconds.") }
    }

    func run() async throws {
        let rules = try RulesSource(rules).rules()
        let audit = try await Interruption.withFolder("larder-audit") { folder in
            await Audit(isURL ? try await visited(rules, in: folder) : try recorded(), rules: rules)
        }
        if json {
            try Console.say(
                json: Output(
                    url: audit.url, score: audit.score, files: audit.files, nginx: audit.nginx, caddy: audit.caddy))
        } else {
            Console.say(audit.text(colours: Console.hasColours, width: Console.tableWidth))
        }
        if let failUnder, audit.score < failUnder { throw ExitCode(1) }
    }

    private func recorded() throws -> [RecordedExchange] {
        guard let bytes = FileManager.default.contents(atPath: page) else {
            throw ValidationError("'\(page)' is no http or https URL, and no file that can be read.")
        }
        do {
            return try HARFile.read(bytes)
        } catch {
            throw ValidationError("'\(page)': \(error)")
        }
    }

    private func visited(_ rules: RuleList, in folder: URL) async throws -> [RecordedExchange] {
        let display = try await Display.find()
        defer { display.stop() }
        var setup = ProxySetup(storeDirectory: folder.path, mode: .forward(intercept: .forWebViews))
        setup.cache.hostMap = try HostMap(origins.hostMap)
        setup.cache.originAuthorities = origins.originCa
        setup.cache.rules = rules
        setup.upperCache = .off
        let (url, userinfo) = URLUserinfo.split(page)
        var visit = VisitRequest(url: url, timeoutSeconds: timeout.seconds)
        if let login = userinfo.flatMap({ BasicCredentials(userinfo: $0.utf8) }) {
            (visit.siteUser, visit.sitePassword) = (login.user, login.password)
        }
        let (result, exchanges) = try await PageVisitor.visit(visit, setup, .connected, display: display)
        let summary = PageSummary(result, exchanges)
        guard summary.isSuccess else {
            Console.note("\(url): not opened: \(summary.problem)")
            throw ExitCode(1)
        }
        return exchanges.compactMap(RecordedExchange.init)
    }

    private struct Output: Encodable {
        var url: String
        var score: Int
        var files: [Audit.File]
        var nginx: [String]
        var caddy: [String]
    }
}
