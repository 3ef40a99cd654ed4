import ArgumentParser
import CacheEngine
import ChildPrograms
import Dashboard
import Foundation
import LarderHost
import WebVisit

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Opens a real page in a real web view: cold, warm, offline, and after a deploy.",
        discussion: """
            Without --url it starts a sample shop behind an origin that is as slow as a mobile network. Every visit is \
            made twice, through Larder and without it. Exit status 1 means that one of the checks did not hold.
            """)

    @Option(help: "A page to visit instead of the sample shop: cold, warm, offline, and with --deploy after a deploy.")
    var url: String?

    @Option(
        help: ArgumentHelp(
            """
            Run this with /bin/sh to put another release of --url in place, then visit it. With 'key', wait until you \
            press return. Once for each of --runs, which is 1 by default then.
            """, valueName: "command"))
    var deploy: String?

    @Option(
        help: ArgumentHelp(
            """
            How requests reach Larder: proxy; or appScheme, answered in the web view's process, with the sample shop \
            on one host. httpsScheme is in test builds only.
            """, valueName: "mode"))
    var through = InterceptionMode.proxy

    @Flag(help: "Make all visits through proxy, then through appScheme, and show both side by side.")
    var modes = false

    @Option(help: ArgumentHelp("Write the report to this HTML file.", valueName: "file"))
    var report = Self.usualReport

    private static let usualReport = "out/demo.html"

    @Option(
        help: ArgumentHelp(
            "Keep the store, pictures and certificates in this folder; without it they are removed at the end.",
            valueName: "dir"))
    var keep: String?

    @Option(
        name: .customLong("resolve"),
        help: ArgumentHelp("As of larder open, for --url.", valueName: "host:port:address[:port]"))
    var hostMap: [String] = []

    @Option(help: ArgumentHelp("As of larder open, for --url.", valueName: "file"))
    var originCa: String?

    @Option(help: RulesOptionHelp.byDefault)
    var rules = "default"

    @Option(
        help: """
            The network that is simulated for --url: direct; 4g (60 ms away, 12 Mbit/s); slow-3g (400 ms, 400 kbit/s). \
            With silent, closing, trickling (4 KiB, then ten bytes a second) or lossy (every third connection breaks \
            off after 4 KiB) there is one visit more, on such a network.
            """)
    var network = SimulatedNetwork.direct

    @Option(
        help: ArgumentHelp(
            """
            A page is finished, and its picture taken, when nothing has loaded for this time, such as 500ms or 2s; a \
            number alone is seconds.
            """, valueName: "duration"), transform: DurationArgument.init)
    var quiet = DurationArgument.seconds(0.5)

    @Flag(inversion: .prefixedNo, help: "Make every visit without Larder as well.")
    var control = true

    @Option(
        help: ArgumentHelp(
            "A visit more: a first one while this many other files are preloaded.", valueName: "count",
            visibility: .hidden))
    var preloadingMeanwhile = 0

    @Option(
        help: ArgumentHelp(
            """
            Make all visits this often, 1 to 99; the times are medians. Two more where they differ too much. 3 by \
            default.
            """,
            valueName: "count"))
    var runs: Int?

    @Option(
        help: ArgumentHelp(
            """
            deploy: visits to one page while its server deploys every few of them, by the default rules and with the \
            rule snapshot. Exit status 1 where a snapshot was broken.
            """, valueName: "name"))
    var scenario: Scenario?

    @Option(
        help: ArgumentHelp(
            "How many visits --scenario deploy makes by each rules. 200 by default.", valueName: "count"))
    var visits: Int?

    @Flag(help: "Print JSON.")
    var json = false

    enum Scenario: String, ExpressibleByArgument, CaseIterable { case deploy }

    func validate() throws {
        guard through != .none else {
            throw ValidationError("--through none would compare the web view with itself; choose proxy or appScheme.")
        }
        for mode in throughModes {
            if let url, let problem = mode.problem(with: url) { throw ValidationError(problem) }
        }
        guard !modes || through == .proxy && scenario == nil else {
            throw ValidationError("--modes stands without --through and --scenario.")
        }
        guard visits == nil || scenario != nil else { throw ValidationError("--visits is for --scenario deploy.") }
        guard (1...10_000).contains(visits ?? 1) else { throw ValidationError("--visits takes 1 to 10000.") }
        guard scenario == nil || url == nil && through == .proxy else {
            throw ValidationError("--scenario has its own site, and runs --through proxy alone.")
        }
        guard scenario == nil || report == Self.usualReport else {
            throw ValidationError("--scenario prints a table, and writes no --report.")
        }
        guard rules == "default" || url != nil else { throw ValidationError("--rules is for --url.") }
        guard deploy == nil || url != nil else { throw ValidationError("--deploy is for --url.") }
        guard (1...99).contains(runs ?? 1) else { throw ValidationError("--runs takes 1 to 99.") }
        guard quiet.duration > .zero else { throw ValidationError("--quiet takes more than 0 seconds.") }
        try FilesToWrite.check(report, "--report")
        guard (0...100_000).contains(preloadingMeanwhile) else {
            throw ValidationError("--preloading-meanwhile takes 0 to 100000.")
        }
        guard quiet.duration <= .seconds(60) else { throw ValidationError("--quiet takes at most 60s.") }
    }

    func run() async throws {
        try await Interruption.withFolder("larder-demo") { folder in
            if scenario == .deploy { try await runDeploys(in: folder) } else { try await runVisits(in: folder) }
        }
    }

    private func runVisits(in folder: URL) async throws {
        let folder = keep.map { URL(fileURLWithPath: $0) } ?? folder
        var options = DemoOptions()
        options.url = url
        options.hostMap = hostMap
        options.originAuthorities = originCa
        options.network = network
        options.rules = try RulesSource.passedOn(rules)
        options.quietMilliseconds = Int(quiet.duration / .milliseconds(1))
        options.hasControl = control
        options.runs = runs ?? (deploy == nil ? 3 : 1)
        if let deploy { options.deploy = { try await Deployment.make(deploy) } }
        options.filesPreloadedMeanwhile = preloadingMeanwhile
        var reports: [(mode: String, report: VisitReport)] = []
        for mode in throughModes {
            options.mode = mode
            options.workDirectory = (modes ? folder.appendingPathComponent("\(mode)") : folder).path
            let demo = try DemoRun(options) { Console.note("larder demo: " + (modes ? "\(mode): " : "") + $0) }
            reports.append(("\(mode)", try await demo.run()))
        }
        let result = VisitReport(sideBySide: reports)
        try DemoRun.write(result, to: report)
        if json {
            var small = result
            for index in small.visits.indices { small.visits[index].screenshot = nil }
            Console.say(try JSONText.encode(small))
        } else {
            Console.say(TerminalTable(result, colours: Console.hasColours, width: Console.width).render())
            Console.say("The report, with pictures and each file: \(URL(fileURLWithPath: report).path)")
        }
        if result.checks.contains(where: { !$0.holds }) { throw ExitCode(1) }
    }
}

extension DemoCommand {
    private var throughModes: [InterceptionMode] { modes ? [.proxy, .appScheme] : [through] }

    private func runDeploys(in folder: URL) async throws {
        let scenario = DeployScenario(visits: visits ?? 200) { Console.note("larder demo: " + $0) }
        let results = try await scenario.run(in: folder)
        if json {
            try Console.say(json: results)
        } else {
            Console.say(DeployScenario.text(results))
        }
        if results.last?.broken != 0 { throw ExitCode(1) }
    }
}

/// Another release of somebody else's page.
private enum Deployment {
    static func make(_ command: String) async throws {
        guard command != "key" else {
            Console.note("larder demo: deploy now, then press return")
            _ = await Task.detached { readLine() }.value
            return
        }
        Console.note("larder demo: deploying by \(command)")
        let shell = try ChildProcess(
            "/bin/sh", ["-c", command], output: .descriptor(STDERR_FILENO), errors: .descriptor(STDERR_FILENO))
        let ending = await shell.ended()
        guard ending == .exited(0) else {
            throw HostError(
                code: .badUse,
                message:
                    "The command of --deploy ended with status \(ending.status), so there is no visit after a "
                    + "deploy, and no report."
            )
        }
    }
}
