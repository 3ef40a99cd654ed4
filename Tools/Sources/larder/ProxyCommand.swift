import ArgumentParser
import CacheRules
import CachingProxy
import Dashboard
import Foundation
import HTTPCacheSemantics
import LarderHost
import OriginDialing

struct ProxyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Runs the caching proxy until it is interrupted; its first line is the address to use.",
        discussion: """
            With --rules FILE the proxy reads the file again on SIGHUP. If the new rules are wrong, the old ones stay \
            in force, and standard error says why; under --json it does so in a line of JSON.
            """)

    @Option(help: ArgumentHelp("The address and port to listen on; port 0 means any free one.", valueName: "host:port"))
    var listen = "127.0.0.1:0"

    @Option(
        name: .customLong("intercept-tls"), parsing: .upToNextOption,
        help: ArgumentHelp(
            "Hosts whose TLS the proxy decrypts, with its own certificates, such as shop.test or *.shop.test.",
            valueName: "host"
        ))
    var interceptTLS: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Be a reverse proxy for this origin, such as http://127.0.0.1:8000. The origin gets its own name as Host; \
            the store and the log know it by that name. In Location and Content-Location, addresses of the origin \
            become paths on the proxy, and a Set-Cookie field loses a Domain that is the origin's; content stays as it \
            is.
            """, valueName: "origin"))
    var reverse: String?

    @Option(
        name: .customLong("reverse-host"),
        help: ArgumentHelp(
            """
            A name that a reverse proxy answers to, such as shop.test or *.shop.test, besides localhost, 127.0.0.1 and \
            [::1] with its port; other names get 421. Repeatable.
            """, valueName: "host"))
    var reverseHosts: [String] = []

    @Option(
        help: ArgumentHelp(
            "private (a web view's cache) or shared; with --reverse shared unless given, else private.",
            valueName: "kind"))
    var cacheKind: String?

    @Option(help: RulesOptionHelp.protocolUnlessGiven)
    var rules: String?

    @Flag(help: "Ask for no user name and password in forward mode.")
    var noAuth = false

    @Option(
        help: ArgumentHelp(
            """
            How long answers that have begun may take to end once the proxy is told to stop (SIGTERM, SIGINT), such as \
            5s or 1m; a number alone is seconds.
            """, valueName: "duration"), transform: DurationArgument.init)
    var grace = DurationArgument.seconds(5)

    @Flag(
        help: """
            Write a line to standard error for every exchange, tunnel and protocol switch once it is over, and for \
            every request that the proxy refuses (such as 407 or 421).
            """)
    var log = false

    @Flag(help: "Begin the lines of --log with the time in UTC. Under --json they always have it.")
    var logTime = false

    @Option(
        name: .customLong("offline-page"),
        help: ArgumentHelp(
            "An HTML file to show where a page is not stored and there is no network.", valueName: "file"))
    var offlinePage: String?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var connectivity: ConnectivityOptions

    @OptionGroup var network: NetworkOptions

    func run() async throws {
        let proxy = try await LocalProxy.start(try setup())
        proxy.connectivity = connectivity.connectivity
        // Before anybody knows that the proxy is ready, so that no signal meets a process that does not expect it.
        let reload = try await reloadOnHangUp(of: proxy)
        defer { reload?.cancel() }
        let interruption = await Interruption.expect()
        defer { interruption.cancel() }
        if proxy.store.isReadOnly { noteUnwritable() }
        let scheme = "http://"
        let at = proxy.credentials.map { "\($0.user):\($0.password)@" } ?? ""
        let host = try listenAddress().host
        let address = "\(scheme)\(at)\(host.contains(":") ? "[\(host)]" : host):\(proxy.port)"
        if json {
            Console.say(#"{"ready":"\#(address)","policy":\#(try JSONText.encode(policy.name))}"#)
        } else {
            Console.say(address)
            if rules == nil { Console.note("larder: " + RulesOptionHelp.proxyWithoutRules) }
        }
        // Where it is interrupted, what is left is done at the next start.
        Task { await proxy.tidy() }
        await interruption.wait()
        await proxy.stop(within: grace.duration)
    }

    private var policy: RulesSource { rules.map { RulesSource($0) } ?? .protocolOnly }

    private func noteUnwritable() {
        Console.warn(
            "The store in '\(network.storeDirectory)' can't be written: what it holds is served, and nothing is "
                + "stored.", json: json)
    }

    private func reloadOnHangUp(of proxy: LocalProxy) async throws -> HangUp? {
        guard let source = rules.map({ RulesSource($0) }), source.canChange else { return nil }
        let json = json
        return await HangUp.each {
            let reload = proxy.readRules(from: source) { RulesNotice.write($0, by: source, json: json) }
            RulesNotice(source, reload).write(json: json)
        }
    }

    private func listenAddress() throws -> (host: String, port: Int) {
        guard let colon = listen.lastIndex(of: ":"), let port = Int(listen[listen.index(after: colon)...]),
            (0...65_535).contains(port)
        else { throw ValidationError("--listen '\(listen)' is no address and port, such as 127.0.0.1:8080.") }
        let host = listen[..<colon]
        return (host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : String(host), port)
    }

    private func setup() throws -> ProxySetup {
        var setup = ProxySetup(storeDirectory: network.storeDirectory, mode: try mode())
        (setup.host, setup.port) = try listenAddress()
        try network.apply(to: &setup.cache)
        setup.cache.kind = try kind()
        guard grace.duration <= .seconds(3_600) else {
            throw ValidationError("--grace takes at most one hour, such as 5s or 1m.")
        }
        guard reverse != nil || reverseHosts.isEmpty else {
            throw ValidationError("--reverse-host names what a reverse proxy answers to; give --reverse as well.")
        }
        guard log || !logTime else {
            throw ValidationError("--log-time is for the lines of --log; give --log as well.")
        }
        for host in interceptTLS { try HostOption.check(host, "--intercept-tls") }
        for host in reverseHosts { try HostOption.check(host, "--reverse-host") }
        setup.reverseHosts = reverseHosts.map { HostNamePattern($0) }
        if let rules {
            let source = RulesSource(rules)
            setup.cache.rules = try source.rules()
            // Rules beyond RFC 9111 are meant for web views.
            setup.checksAllowedOrigin = source != .protocolOnly
        }
        setup.cache.offlinePage = try offlinePage.map { try OfflinePageFile.read($0) }
        if case .forward = setup.mode, !noAuth { setup.credentials = .random() }
        if log {
            let printer = LogPrinter(json: json, showsTime: logTime)
            setup.cache.observer = printer
            setup.onRefusal = { printer.record($0) }
            setup.onUncached = { printer.record($0) }
        }
        return setup
    }

    /// A reverse proxy serves many clients, so it must not reuse what is private to one of them.
    private func kind() throws -> CacheKind {
        guard let cacheKind else { return reverse == nil ? .private : .shared }
        guard let kind = CacheKind(rawValue: cacheKind) else {
            throw ValidationError("--cache-kind is private or shared, not '\(cacheKind)'.")
        }
        return kind
    }

    private func mode() throws -> ProxyConfiguration.Mode {
        guard let reverse else {
            return .forward(intercept: interceptTLS.isEmpty ? .none : .only(interceptTLS.map { HostNamePattern($0) }))
        }
        guard let parts = TargetURI.split(reverse), parts.scheme == "http" || parts.scheme == "https",
            ["", "/"].contains(parts.path),
            let origin = OriginDialer.Endpoint(authority: parts.authority, isSecure: parts.scheme == "https")
        else {
            throw ValidationError("--reverse '\(reverse)' is no origin without a path, such as http://127.0.0.1:8000.")
        }
        return .reverse(origin: origin)
    }
}
