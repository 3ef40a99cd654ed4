#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import CacheEngine
import CacheRules
import CacheTesting
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import LarderHost
import Locking
import Preloading
import ResponseStore
import SchemeTasks
import WireSupport

@testable import LarderKit

/// An app's `Larder` with a proxy, a scheme handler's answers and sessions, over scripted servers and a clock that
/// stands still; and readers of its store that share nothing with it but the folder.
final class ClientBench: Sendable {
    /// A request that a client can make, besides the fields of its own.
    struct Ask: CustomStringConvertible {
        var client: AskingClient
        var method = HTTPRequest.Method.get
        var url: String
        var destination: Destination
        var fields: HTTPFields
        var mode: CacheMode
        var connectivity: Connectivity
        var description: String {
            "\(client): \(method) \(url) for \(destination), \(mode.rawValue), \(fields), \(connectivity)"
        }
    }

    /// The answer, and what the engine reported.
    struct Got: CustomStringConvertible {
        var outcome: ExchangeReport.Outcome
        var storedStatus: Int
        var notStored: StoreDecision.Reason?
        /// How often the server was asked before the answer.
        var asked: Int
        var report: ExchangeReport
        var description: String {
            "\(outcome) \(storedStatus), \(report.uri) \(report.cacheStatus), asked \(asked) times"
        }
    }

    static let agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/605.1.15"
    private static let language = "en-US"

    private let directory: TemporaryDirectory
    private let clock = ManualClock()
    private let transport = ScriptedTransport()
    private let recorder = ReportRecorder()
    private let larder: Larder
    private let proxy: LarderProxy
    private let responder: WebViewResponder
    private let state = LockedBox((host: "", rules: RuleList([]), asksForPages: false))

    init() async throws {
        directory = try TemporaryDirectory()
        var configuration = LarderConfiguration(directory: URL(fileURLWithPath: directory.store))
        (configuration.clock, configuration.observer) = (clock.engineClock, recorder)
        configuration.connectivitySource = nil
        let larder = try Larder(configuration, transport: transport)
        self.larder = larder
        proxy = try await larder.startProxy(credentials: nil)
        var answering = WebViewResponder.Configuration()
        answering.context = { larder.contextForClients }
        answering.defaultFields = [.acceptLanguage: Self.language]
        answering.userAgent = { Self.agent }
        responder = WebViewResponder(cache: larder.cache, configuration: answering, clock: clock.engineClock)
        let known = ViewFields(userAgent: Self.agent, acceptLanguage: Self.language)
        try PreloadStateFiles(folder: directory.store + "/preload").keep(known)
    }

    // MARK: Chance

    func pick<Choice>(_ choices: [Choice], _ random: inout SplitMix64) -> Choice {
        choices[Int.random(in: choices.indices, using: &random)]
    }

    private func chance(_ percent: Int, _ random: inout SplitMix64) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    private static let controls = [
        nil, nil, "max-age=60", "max-age=600", "no-cache", "max-age=60, must-revalidate",
        "max-age=0, stale-if-error=600",
        "max-age=60, stale-while-revalidate=600", "private, max-age=60", "max-age=31536000, immutable", "no-store",
    ]
    private static let varies = [
        nil, nil, nil, "Accept-Language", "Cookie", "Accept-Encoding", "User-Agent", "Accept-Language, Accept",
        "Origin", "Sec-Fetch-Dest", "*",
    ]
    private static let verdicts: [Verdict] = [
        .followProtocol, .cacheFirst, .staleWhileRevalidate(for: nil), .revalidate, .reload(.local),
        .fresh(for: .seconds(300)),
        .permanent, .onlyIfStored, .networkFirst(timeout: nil), .networkFirst(timeout: .seconds(2)),
        .staleIfError(for: .seconds(600)), .bypass, .neverStore, .storeOnlyIfExplicit,
    ]
    private static let paths: [(String, Destination)] = [
        ("/", .document), ("/page", .document), ("/app.js", .script), ("/app.3f2a91c4.js", .script),
        ("/style.css", .style),
        ("/logo.png", .image), ("/data.json", .fetch), ("/page?utm_source=a", .document), ("/api/list", .fetch),
    ]

    /// A site and rules of its own.
    func begin(_ seed: UInt64, _ random: inout SplitMix64) throws {
        var rule = Rule("own", pick(Self.verdicts, &random))
        if chance(15, &random) { rule.expiry = .seconds(pick([30, 65, 1_000], &random)) }
        let own = RuleList([rule])
        let rules: RuleList = pick(
            [
                .webViewDefaults, .webViewDefaults, .protocolOnly, own, own,
                RuleList {
                    Rule.disconnected; rule
                },
            ], &random)
        // A page that came new a moment ago makes its files older; a test of its own is about that.
        let asksForPages = chance(40, &random)
        state.withLock { $0 = ("s\(seed).localhost", rules, asksForPages) }
        larder.rules = rules
    }

    func ask(_ client: AskingClient, _ random: inout SplitMix64) -> Ask {
        let asksForPages = state.withLock { $0.asksForPages }
        let (path, destination) = pick(Self.paths.filter { ($0.1 == .document) == asksForPages }, &random)
        let url = "\(client == .appScheme ? "https" : "http")://\(state.withLock { $0.host })\(path)"
        var fields = HTTPFields()
        // A web view at the scheme has its cookies elsewhere.
        if client != .appScheme { fields[.cookie] = pick([nil, nil, "a=1", "a=2"], &random) }
        if client == .data || client == .session {
            fields[.acceptLanguage] = pick([nil, "en-US", "de"], &random)
            fields[.accept] = pick([nil, "text/html"], &random)
            if chance(10, &random) { fields[.acceptEncoding] = pick(["gzip", "identity"], &random) }
        } else if destination == .fetch, chance(30, &random) {
            fields[.accept] = "application/json"
        }
        var modes: [CacheMode] = [.protocolDefault, .protocolDefault, .protocolDefault, .revalidate, .reload]
        if client == .data || client == .session || destination == .document {
            modes += [.preferStored, .onlyIfStored, .reloadIgnoringLocal]
        }
        let networks: [Connectivity] = [
            .connected, .connected, .connected, .disconnected, Connectivity(isExpensive: true),
            Connectivity(isConstrained: true),
        ]
        var ask = Ask(
            client: client, url: url, destination: destination, fields: fields, mode: pick(modes, &random),
            connectivity: pick(networks, &random))
        if chance(5, &random) { ask.method = .head }
        if chance(5, &random), client != .appScheme { ask.fields[.range] = "bytes=0-1" }
        return ask
    }

    private func response(_ ask: Ask, _ random: inout SplitMix64) -> HTTPResponse {
        let types: [Destination: String] = [
            .document: "text/html", .script: "text/javascript", .style: "text/css", .image: "image/png",
        ]
        var fields: HTTPFields = [.contentType: types[ask.destination] ?? "application/json"]
        fields[.cacheControl] = pick(Self.controls, &random)
        fields[.vary] = pick(Self.varies, &random)
        if chance(50, &random) { fields[.eTag] = "\"1\"" }
        if chance(30, &random) { fields[.lastModified] = HTTPDate.print(clock.now + .seconds(-1_000_000)) }
        if chance(10, &random) { fields[.setCookie] = "a=1" }
        return HTTPResponse(
            status: .init(code: pick([200, 200, 200, 200, 203, 404], &random)), headerFields: fields)
    }

    // MARK: Asking

    /// Has a response stored for a client, sometimes one that was asked for with few fields.
    func fill(_ client: AskingClient, _ random: inout SplitMix64) async throws {
        var ask = ask(client, &random)
        (ask.method, ask.mode, ask.connectivity, ask.fields[.range]) = (.get, .protocolDefault, .connected, nil)
        let response = response(ask, &random)
        if chance(20, &random), let parts = TargetURI.split(ask.url) {
            let head = HTTPRequest(method: .get, scheme: parts.scheme, authority: parts.authority, path: parts.path)
            try? await larder.cache.store(
                response, content: Array("old".utf8),
                for: EngineRequest(head: head, context: larder.exchangeContext(ask.destination)))
        } else {
            transport.on(ask.url) { _ in
                ScriptedTransport.answer(response.status.code, response.headerFields, body: "old")
            }
            let before = recorder.reports.count
            try await send(ask)
            _ = try await report(after: before)
        }
        await settle()
        clock.advance(by: .seconds(pick([0, 1, 59, 60, 61, 700], &random)))
    }

    private func settle() async {
        await larder.cache.waitForBackgroundWork()
        await larder.cache.waitForCommits()
    }

    /// As `larder explain` says it of this client.
    func explain(_ ask: Ask, originIsDown: Bool = false) async throws -> Explanation {
        let reader = try StoreReader(
            directory: directory.store, rules: state.withLock { $0.rules }, kind: .private, clock: clock.engineClock)
        var lines = ask.fields.map { "\($0.name.rawName): \($0.value)" }
        let isView = ask.client == .proxy || ask.client == .appScheme
        if isView {
            lines += [HTTPField.Name.cookie, .origin, .referer].filter { !ask.fields.contains($0) }.map {
                "\($0.rawName):"
            }
        }
        return try await reader.explain(
            as: ask.client, method: ask.method.rawValue, url: ask.url, fieldLines: lines, account: "", mode: ask.mode,
            connectivity: ask.connectivity, destination: isView ? ask.destination : nil, originIsDown: originIsDown)
    }

    func get(_ ask: Ask, from server: ExplainedClientsTests.Server) async throws -> Got {
        larder.connectivityOverride = ask.connectivity
        defer { larder.connectivityOverride = .connected }
        let gate = Gate()
        serve(ask.url, server, gate)
        let (asked, before) = (transport.requests(to: ask.url).count, recorder.reports.count)
        let patience = Task { [clock] in
            try await gate.arrivals(1)
            for _ in 0..<10 {
                clock.advance(by: .seconds(1))
                for _ in 0..<50 { await Task.yield() }
            }
            gate.open()
        }
        try await send(ask)
        let count = transport.requests(to: ask.url).count - asked
        patience.cancel()
        gate.open()
        // It must not advance the clock of the next case.
        _ = await patience.result
        let report = try await report(after: before)
        await settle()
        return Got(
            outcome: report.outcome, storedStatus: report.status, notStored: report.notStored, asked: count,
            report: report)
    }

    /// The report of the exchange that a client waited for: it comes once the store has committed or refused.
    private func report(after count: Int) async throws -> ExchangeReport {
        var seen = count
        while true {
            let reports = try await recorder.reports(atLeast: seen + 1)
            if let report = reports.dropFirst(count).first(where: { !$0.isBackground }) { return report }
            seen = reports.count
        }
    }

    private func serve(_ url: String, _ server: ExplainedClientsTests.Server, _ gate: Gate) {
        transport.on(url) { request in
            let newer: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"2\""]
            switch server {
            case .confirms where ConditionalRequest.isConditional(request.head.headerFields):
                return ScriptedTransport.answer(304)
            case .confirms, .hasAnother: return ScriptedTransport.answer(200, newer, body: "new")
            case .isGone: return ScriptedTransport.answer(404, [:], body: "gone")
            case .failsWith500: return ScriptedTransport.answer(500, [:], body: "failed")
            case .failsWith503: return ScriptedTransport.answer(503, [:], body: "failed")
            case .forbidsStoring: return ScriptedTransport.answer(200, [.cacheControl: "no-store"], body: "secret")
            case .refuses: throw TransportError(code: .connectionFailed, message: "Nothing answers.")
            case .closes: throw TransportError(code: .closedEarly, message: "It closed.")
            case .breaksOff:
                let body = ScriptedBody()
                body.send("ab")
                body.end(throwing: TransportError(code: .closedEarly, message: "It closed."))
                return ScriptedTransport.answer(200, newer, streaming: body, length: 100)
            case .silent:
                try await gate.pass()
                throw TransportError(code: .timedOut, message: "Nothing came.")
            }
        }
    }

    /// - Returns: The outcomes that agree with what was said.
    static func expected(
        _ said: Explanation, _ down: Explanation, _ server: ExplainedClientsTests.Server
    ) -> Set<ExchangeReport.Outcome> {
        switch said.answer {
        case .stored: return [.hit]
        case .stale, .staleWhileRevalidating: return [.staleHit]
        case .failed: return [.failed]
        case .validated, .completed, .forwarded: break
        }
        let isReplaced = [.stale, .stored, .staleWhileRevalidating].contains(down.answer)
        switch server {
        case .confirms where said.answer == .validated: return [.validated]
        case .confirms: return [.stored, .forwarded, .validated]
        case .hasAnother, .isGone, .forbidsStoring: return [.stored, .forwarded]
        case .failsWith500, .failsWith503:
            return isReplaced ? [.staleHit, .hit, .stored, .forwarded] : [.stored, .forwarded]
        // With a validator the beginning is stored (RFC 9111 §3.3).
        case .breaksOff: return isReplaced ? [.staleHit, .hit, .stored, .forwarded] : [.stored, .forwarded, .failed]
        case .refuses, .closes, .silent: return isReplaced ? [.staleHit, .hit] : [.failed]
        }
    }

    // MARK: The clients

    private func send(_ ask: Ask) async throws {
        switch ask.client {
        case .proxy: try await sendThroughProxy(ask)
        case .appScheme: await sendToHandler(ask)
        case .data, .session: await sendByApp(ask)
        }
    }

    /// The fields of WebKit, as it sends them to a proxy.
    private func viewFields(_ ask: Ask) -> HTTPFields {
        var fields = HTTPFields()
        fields[.userAgent] = Self.agent
        switch ask.destination {
        case .document: fields[.accept] = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        case .style: fields[.accept] = "text/css,*/*;q=0.1"
        case .image:
            fields[.accept] = "image/webp,image/avif,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"
        default: fields[.accept] = "*/*"
        }
        for field in ask.fields { fields[field.name] = field.value }
        if ask.destination == .document, ask.mode != .protocolDefault {
            fields[CacheMode.field] = ask.mode.rawValue
            return fields
        }
        // Fetch §4.6: what a cache mode adds.
        switch ask.mode {
        case .revalidate: fields[.cacheControl] = "max-age=0"
        case .reload: (fields[.cacheControl], fields[.pragma]) = ("no-cache", "no-cache")
        default: break
        }
        return fields
    }

    private func sendThroughProxy(_ ask: Ask) async throws {
        var fields = viewFields(ask)
        fields[.acceptLanguage] = Self.language
        fields[.acceptEncoding] = "gzip, deflate"
        fields[.secFetchDest] = ask.destination == .fetch ? "empty" : ask.destination.rawValue
        let lines = fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
        let host = TargetURI.split(ask.url)?.authority ?? ""
        _ = try await WireClient.exchange(
            "\(ask.method) \(ask.url) HTTP/1.1\r\nHost: \(host)\r\n\(lines)Connection: close\r\n\r\n", port: proxy.port)
    }

    private func sendToHandler(_ ask: Ask) async {
        let url = "app-cache-" + ask.url
        let page =
            ask.destination == .document ? url : "app-cache-https://\(TargetURI.split(ask.url)?.authority ?? "")/"
        let evidence = RequestEvidence(
            method: ask.method, url: url, fields: viewFields(ask), topLevelURL: page,
            navigation: ask.destination == .document ? .topLevel : RequestEvidence.Navigation.none
        )
        var answer = responder.answer(evidence)
        while case .pending(let make) = answer { answer = await make() }
        if case .ready(let response) = answer { _ = try? await response.body.collect(upTo: .mebibytes(1)) }
    }

    private func sendByApp(_ ask: Ask) async {
        guard let url = URL(string: ask.url) else { return }
        var request = URLRequest(url: url)
        request.httpMethod = ask.method.rawValue
        for field in ask.fields { request.setValue(field.value, forHTTPHeaderField: field.name.rawName) }
        let policies: [CacheMode: URLRequest.CachePolicy] = [
            .preferStored: .returnCacheDataElseLoad, .onlyIfStored: .returnCacheDataDontLoad,
            .reload: .reloadIgnoringLocalAndRemoteCacheData, .reloadIgnoringLocal: .reloadIgnoringLocalCacheData,
            .revalidate: .reloadRevalidatingCacheData,
        ]
        request.cachePolicy = policies[ask.mode] ?? .useProtocolCachePolicy
        if ask.client == .data {
            _ = try? await larder.data(for: request)
            return
        }
        var answer = await ContentAnswers(cache: larder.cache, context: larder.contextForClients).answer(request, nil)
        while case .pending(let make) = answer { answer = await make() }
        if case .ready(let response) = answer { _ = try? await response.body.collect(upTo: .mebibytes(1)) }
    }
}
