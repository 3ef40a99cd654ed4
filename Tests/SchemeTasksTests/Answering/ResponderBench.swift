import CacheEngine
import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore
import Testing

@testable import Fetching
@testable import SchemeTasks
@testable import WebTesting

/// A web view's responder between a scripted network and cookies in memory, on a clock that stands still.
struct ResponderBench: Sendable {
    /// What a scheme task got.
    struct Answer: Sendable {
        var status = 0
        var fields: HTTPFields = [:]
        var text = ""
        var error: SchemeTaskError?
        /// Whether it was ready without a task.
        var wasReady = false

        var fetchError: FetchError.Code? { (error?.cause as? FetchError)?.code }
    }

    let clock = ManualClock(wallTime: cookieNow)
    let transport = ScriptedTransport()
    let store = MemoryResponseStore()
    let recorder = ReportRecorder()
    let cookies: MemoryCookieStore
    let cache: ResponseCache
    let responder: WebViewResponder
    private let moves = LockedBox<[DocumentMove]>([])

    /// - Parameters:
    ///   - configure: Changes the rest of the responder's configuration.
    ///   - storage: What stands between the cache and the store.
    init(
        rules: RuleList = .protocolOnly, view: String = "",
        configure: (inout WebViewResponder.Configuration) -> Void = { _ in },
        storage: (MemoryResponseStore) -> any ResponseStorage = { $0 }
    ) {
        let (clock, policy) = (clock, cookiePolicy(thirdParty: .allowed))
        cookies = MemoryCookieStore(policy: policy) { clock.now }
        cache = ResponseCache(
            store: storage(store), transport: transport,
            configuration: EngineConfiguration(rules: rules, clock: clock.engineClock, observer: recorder))
        let moves = moves
        var configuration = WebViewResponder.Configuration()
        configuration.view = view
        configuration.cookies = CookieBridge(store: cookies, policy: policy)
        configuration.move = { move in moves.withLock { $0.append(move) } }
        configure(&configuration)
        responder = WebViewResponder(cache: cache, configuration: configuration, clock: clock.engineClock)
    }

    /// What the web view was told to do, in order; each once.
    func takeMoves() -> [DocumentMove] {
        moves.withLock { moves in
            defer { moves = [] }
            return moves
        }
    }

    /// Answers a URL with the same whole response every time.
    func on(_ uri: String, _ status: Int = 200, _ fields: HTTPFields = [:], body: String = "") {
        transport.on(uri) { _ in ScriptedTransport.answer(status, fields, body: body) }
    }

    func ask(_ observed: RequestEvidence, body: [UInt8]? = nil) async throws -> Answer {
        try await result(of: responder.answer(observed, body.map { .bytes($0) }))
    }

    func result(of given: LoadAnswer) async throws -> Answer {
        var answer = Answer()
        if case .pending = given {} else { answer.wasReady = true }
        switch await given.outcome() {
        case .success(let response):
            answer.status = response.head.status.code
            answer.fields = response.head.headerFields
            // A frame that is sent on leaves with the first piece: the end comes later.
            answer.text = String(
                decoding: answer.fields.contains(FetchField.refresh)
                    ? try await response.body.makeSource().next() ?? []
                    : try await response.body.collect(upTo: .mebibytes(4)), as: UTF8.self)
        case .failure(let error): answer.error = error
        }
        // What is stored by one request is there for the next one.
        await cache.waitForBackgroundWork()
        return answer
    }

    /// A document of the main frame.
    func open(
        _ url: String, method: HTTPRequest.Method = .get, _ given: HTTPFields = [:], body: [UInt8]? = nil
    ) async throws -> Answer {
        var fields = given
        fields[FetchField.secFetchMode] = "navigate"
        fields[.secFetchDest] = "document"
        if !fields.contains(FetchField.secFetchSite) { fields[FetchField.secFetchSite] = "none" }
        return try await ask(
            RequestEvidence(method: method, url: url, fields: fields, topLevelURL: url, navigation: .topLevel),
            body: body)
    }

    /// A resource of a page.
    func load(
        _ url: String, of page: String = "https://page.test/", method: HTTPRequest.Method = .get,
        mode: String = "no-cors", dest: String = "image", site: String? = nil, _ given: HTTPFields = [:],
        body: [UInt8]? = nil, credentials: FetchRequest.Credentials? = nil,
        redirect: FetchRequest.Redirect? = nil
    ) async throws -> Answer {
        var fields = given
        fields[FetchField.secFetchMode] = mode
        fields[.secFetchDest] = dest
        fields[FetchField.secFetchSite] = site
        let origin = WebOrigin(url: page)
        if site == nil {
            fields[FetchField.secFetchSite] = SiteRelation(origin, to: WebOrigin(url: url)).rawValue
        }
        if mode == "cors" { fields[.origin] = origin.description }
        if fields[.referer] == nil { fields[.referer] = page }
        return try await ask(
            RequestEvidence(
                method: method, url: url, fields: fields, topLevelURL: page,
                navigation: RequestEvidence.Navigation.none,
                options: .init(credentials: credentials, redirect: redirect)), body: body)
    }

    /// What the origins saw, as "METHOD URL".
    var asked: [String] {
        transport.requests.map { request in
            "\(request.head.method) \(request.head.scheme ?? "")://\(request.head.authority ?? "")\(request.head.path ?? "")"
        }
    }

    /// The field of each request to the origins; empty where there was none.
    func sent(_ name: HTTPField.Name) -> [String] { transport.requests.map { $0.head.headerFields[name] ?? "" } }

    /// The content of the last request to an origin; `nil` without any. Can be read once.
    func lastContent() async throws -> String? {
        guard let body = transport.requests.last?.body else { return nil }
        let bytes = try await ResponseBody.stream(body.source, length: body.length).collect(upTo: .mebibytes(1))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A cookie that the server of a URL set.
    func setCookie(_ url: String, _ field: String) async throws {
        on(url, 200, [.cacheControl: "no-store", .setCookie: field])
        _ = try await open(url)
    }
}

extension LoadAnswer {
    /// What the scheme task is answered in the end.
    func outcome() async -> Result<LoadResponse, SchemeTaskError> {
        switch self {
        case .ready(let response), .redirect(_, let response): .success(response)
        case .failed(let error):
            .failure(error as? SchemeTaskError ?? SchemeTaskError(code: .unanswered, message: "\(error)"))
        case .pending(let make): await make().outcome()
        }
    }
}
