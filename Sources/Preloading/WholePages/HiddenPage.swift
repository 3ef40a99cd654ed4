import CacheEngine
import CacheRules
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import Locking

/// The requests of hidden pages on their way out: what they may not do is answered here, and what comes is counted.
package final class HiddenPageTraffic: Sendable {
    private struct State: Sendable {
        var marked: SideEffectPages
        var received: Int64 = 0
        /// How much of it ``takeUncounted()`` has returned.
        var counted: Int64 = 0
        var withheld: HTTPRequest?
    }

    private let state: LockedBox<State>

    /// - Parameter marked: URLs that are not asked for, whatever a page wants them for.
    package init(avoiding marked: SideEffectPages = SideEffectPages()) {
        state = LockedBox(State(marked: marked))
    }

    /// May be changed at any time; counts for the requests from then on.
    package var avoided: SideEffectPages {
        get { state.withLock { $0.marked } }
        set { state.withLock { $0.marked = newValue } }
    }

    /// Content that has come from the network.
    package var received: ByteCount { ByteCount(state.withLock { $0.received }) }

    /// A transport for the cache behind hidden pages.
    ///
    /// Methods other than GET, HEAD and OPTIONS, and URLs that are ``avoided``, are answered with 403. The others are
    /// sent with `Sec-Purpose: prefetch` (Fetch §3.7), without `Cookie` and `Authorization`. Of the responses
    /// `Set-Cookie` and `Clear-Site-Data` are dropped.
    package func transport(over transport: any OriginTransport) -> any OriginTransport {
        HiddenPageTransport(transport: transport, traffic: self)
    }

    /// The rules for the cache behind hidden pages: what is ``avoided`` is not answered from the store either, and
    /// responses that vary by what was sent otherwise than the page asked are not stored.
    package func rules(before others: RuleList) -> RuleList {
        var rules = others
        rules.rules.insert(AvoidedPages(traffic: self), at: 0)
        return rules
    }

    /// The last request that was answered here; `nil` if none was.
    var withheld: HTTPRequest? { state.withLock { $0.withheld } }

    func withhold(_ head: HTTPRequest) { state.withLock { $0.withheld = head } }

    /// The content that has come since the last call.
    func takeUncounted() -> ByteCount {
        state.withLock { state in
            defer { state.counted = state.received }
            return ByteCount(state.received - state.counted)
        }
    }

    func received(_ count: Int) { state.withLock { $0.received += Int64(count) } }

    func isAvoided(_ head: HTTPRequest) -> Bool { avoided.contains(Self.url(of: head)) }

    static func url(of head: HTTPRequest) -> String {
        "\(head.scheme ?? "https")://\(head.authority ?? "")\(head.path ?? "/")"
    }
}

private struct AvoidedPages: CacheRule {
    let traffic: HiddenPageTraffic
    let name = "side-effect-page"
    let looksAtResponse = true

    func verdict(for exchange: Exchange) -> Verdict? {
        if traffic.isAvoided(exchange.request) { return .bypass }
        guard let fields = exchange.response?.headerFields, case .fields(let names) = Vary(fields) else { return nil }
        let left = HiddenPageTransport.leftOut.filter { exchange.request.headerFields.contains($0) }
        return names.contains { $0 == FetchField.secPurpose || left.contains($0) } ? .bypass : nil
    }
}

private struct HiddenPageTransport: OriginTransport {
    let transport: any OriginTransport
    let traffic: HiddenPageTraffic

    /// Fields that are not sent.
    static let leftOut = [HTTPField.Name.cookie, .authorization]

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard [.get, .head, .options].contains(request.head.method), !traffic.isAvoided(request.head) else {
            traffic.withhold(request.head)
            return Self.refused
        }
        var request = request
        request.yields = true
        for name in Self.leftOut { request.head.headerFields[name] = nil }
        request.head.headerFields[FetchField.secPurpose] = "prefetch"
        var response = try await transport.send(request)
        response.head.headerFields[.setCookie] = nil
        response.head.headerFields[.clearSiteData] = nil
        response.body = CountedBody(response.body, traffic)
        return response
    }

    private static var refused: TransportResponse {
        let text = Array("A page that is loaded ahead of need may not ask for this.\n".utf8)
        let head = HTTPResponse(
            status: .forbidden, headerFields: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"])
        return TransportResponse(
            head: head, body: ResponseBody.bytes(text).makeSource(), bodyLength: Int64(text.count))
    }
}

/// Passes on what comes, and counts it.
private final class CountedBody: BodySource {
    private let source: any BodySource
    private let traffic: HiddenPageTraffic

    init(_ source: any BodySource, _ traffic: HiddenPageTraffic) { (self.source, self.traffic) = (source, traffic) }

    var trailers: HTTPFields? { source.trailers }

    func next() async throws -> [UInt8]? {
        let piece = try await source.next()
        if let piece { traffic.received(piece.count) }
        return piece
    }

    func cancel() { source.cancel() }
}

/// A web view that nobody sees, for one page. Whoever links a web view implements it.
///
/// Its requests have to reach the network through ``HiddenPageTraffic/transport(over:)``, by a proxy or a scheme
/// handler, and its data store has to be one of its own, empty and not kept.
package protocol HiddenPage: Sendable {
    /// Opens the page by GET, and returns once it has loaded or can't be; it returns or throws soon after ``stop()``.
    ///
    /// - Throws: Where the web view can't be used at all.
    func load(_ url: String) async throws -> HiddenPageResult

    /// The memory that the page's processes hold now; `nil` where that is not known.
    var memory: ByteCount? { get async }

    /// Ends the page at once, whatever it is doing. May be called more than once.
    func stop() async
}

/// How a hidden page has loaded.
package struct HiddenPageResult: Hashable, Sendable {
    /// The document's, behind redirects; `nil` if there is no document.
    package var url: String?
    /// The status of the document's response, if there was one.
    package var status: Int?
    /// Why it did not load, in one sentence; `nil` if it did.
    package var problem: String?

    package init(url: String?, status: Int?, problem: String? = nil) {
        (self.url, self.status, self.problem) = (url, status, problem)
    }
}

/// Limits for a page that is loaded in a hidden web view.
public struct WholePageLimits: Hashable, Sendable {
    /// From its first request until nothing loads any more; 30 s unless set.
    public var time = Duration.seconds(30)
    /// The most memory that its processes may hold; 512 MiB unless set. A web view takes 100 to 200 MiB for a page that
    /// does nothing.
    public var memory = ByteCount.mebibytes(512)
    /// How often memory, network and budget are looked at; every 250 ms unless set.
    public var interval = Duration.milliseconds(250)

    public init() {}
}
