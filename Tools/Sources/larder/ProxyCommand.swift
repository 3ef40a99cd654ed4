import ArgumentParser
import CacheRules
import CachingProxy
import Foundation
import HTTPCacheSemantics
import LarderHost
import OriginDialing

struct ProxyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Runs the caching proxy until it is interrupted; its first line is the address to use.",
        discussion: """
            With --rules FILE the file is read again on SIGHUP. Rules that are no good change nothing: those before stay \
            in force, and standard error says why, as a line of JSON under --json.
            """)

    @Option(help: ArgumentHelp("Address and port to listen on; port 0 takes a free one.", valueName: "host:port"))
    var listen = "127.0.0.1:0"

    @Option(
        name: .customLong("intercept-tls"), parsing: .upToNextOption,
        help: ArgumentHelp(
            "Hosts whose TLS is opened with a certificate of ours, such as shop.test or *.shop.test.", valueName: "host"
        ))
    var interceptTLS: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Be a reverse proxy for this origin, such as http://127.0.0.1:8000. The origin gets its own name as Host, and \
            its addresses, also in redirects and cookies, pass as they are; the store and the log know it by that name.
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
            "How long answers under way may take to end when the proxy is told to stop (SIGTERM, SIGINT).",
            valueName: "seconds"))
    var grace = 5

    @Flag(help: "Write a line for every exchange to standard error.")
    var log = false

    @Option(
        name: .customLong("offline-page"),
        help: ArgumentHelp(
            "An HTML file to answer with where a document can't be had for want of a network.", valueName: "file"))
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
        Console.say(json ? #"{"ready":"\#(address)"}"# : address)
        // Where it is interrupted, what is left is done at the next start.
        Task { await proxy.tidy() }
        await interruption.wait()
        await proxy.stop(within: .seconds(grace))
    }

    private func noteUnwritable() {
        let message =
            "the store in '\(network.storeDirectory)' can't be written; it is served from, and nothing is stored"
        if json { Console.note(jsonLine: ["warning": message]) } else { Console.note("larder: " + message) }
    }

    private func reloadOnHangUp(of proxy: LocalProxy) async throws -> HangUp? {
        guard let source = rules.map({ RulesSource($0) }), source.canChange else { return nil }
        let json = json
        return await HangUp.each { RulesNotice(source, proxy.readRules(from: source)).write(json: json) }
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
        try network.apply(to: &setup)
        setup.kind = try kind()
        guard (0...3_600).contains(grace) else {
            throw ValidationError("--grace is a number of seconds from 0 to 3600, not \(grace).")
        }
        guard reverse != nil || reverseHosts.isEmpty else {
            throw ValidationError("--reverse-host names what a reverse proxy answers to; give --reverse as well.")
        }
        setup.reverseHosts = reverseHosts.map { HostNamePattern($0) }
        if let rules {
            let source = RulesSource(rules)
            setup.rules = try source.rules()
            // Whoever wants more than RFC 9111 has a web view in mind.
            setup.checksAllowedOrigin = source != .protocolOnly
        }
        setup.offlinePage = try offlinePage.map { try OfflinePageFile.read($0) }
        if case .forward = setup.mode, !noAuth { setup.credentials = .random() }
        if log { setup.observer = LogPrinter(json: json) }
        return setup
    }

    /// A reverse proxy answers whoever asks its origin, so that nothing of one client may be kept for another.
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
