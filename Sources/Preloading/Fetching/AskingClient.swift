import CacheEngine
import CacheRules
import Decoding
import Fetching
import HTTPCacheSemantics
import HTTPTypes

/// The client as which a request is explained: its fields select among stored responses (RFC 9111 §4.1).
public enum AskingClient: String, CaseIterable, Sendable {
    /// A web view behind the proxy.
    case proxy
    /// A web view at the app-cache scheme.
    case appScheme
    /// The app itself, by `larder.data(for:)`: with the fields that are given.
    case data
    /// A session of the app: with the fields that are given.
    case session

    package var isWebView: Bool { self == .proxy || self == .appScheme }

    /// A request, how little is known of it, and how it asks in words.
    package typealias Asked = (request: EngineRequest, unknown: UnknownFields, words: String)

    /// - Parameters:
    ///   - head: The request with the fields that are given; it has none of those without a value.
    ///   - destination: Its use; `nil` where the path tells.
    ///   - context: The rest of its circumstances. A web view tells of its cache mode by fields, as far as it does.
    ///   - fields: Those of the last web view, or those that one has by nature.
    package func asked(
        _ head: HTTPRequest, _ destination: Destination?, _ context: ExchangeContext, _ fields: ViewFields
    ) -> Asked {
        let absent = Set(head.headerFields.filter { $0.value.isEmpty }.map(\.name))
        var request = EngineRequest(head: head, context: context)
        for name in absent { request.head.headerFields[name] = nil }
        let item = Self.item(head, destination)
        guard isWebView, let own = fields.request(for: item, at: item.url) else {
            request.context.destination = destination ?? .unknown
            return ofApp(request, absent)
        }
        for field in own.headerFields
        where !request.head.headerFields.contains(field.name) && !absent.contains(field.name) {
            request.head.headerFields.append(field)
        }
        let use = item.destination.destination
        // Over plain http WebKit says nothing of it, and a handler of an app's own scheme hears of navigations alone.
        let isTold = own.headerFields.contains(.secFetchDest) || self == .appScheme && use.isPage
        request.context.destination = isTold ? use : .unknown
        var unknown = UnknownFields()
        // The page that asks may be of another origin.
        unknown.possible = [.cookie, .origin, .referer]
        unknown.impossible = absent
        // Nothing tells a module from another script; web views use CORS for it (HTML, "fetch a single module script").
        if item.destination == .script, !head.headerFields.contains(FetchField.secFetchMode),
            let mode = request.head.headerFields[FetchField.secFetchMode]
        {
            request.head.headerFields[FetchField.secFetchMode] = nil
            unknown.otherwise[FetchField.secFetchMode] = mode
            unknown.possible?.insert(FetchField.secFetchMode)
        }
        if fields.userAgent == nil {
            unknown.certain = Set([.userAgent, .acceptLanguage].filter { !request.head.headerFields.contains($0) })
                .subtracting(absent)
            unknown.possible?.formUnion(unknown.certain)
        }
        var words = self == .proxy ? "a web view behind the proxy" : "a web view at the app's scheme"
        if use.isPage, context.mode != .protocolDefault {
            words += " whose app loads the page with the cache mode '\(context.mode.rawValue)'"
        } else {
            if !Self.tell(context.mode, in: &request.head.headerFields) {
                words += " (which tells nobody of its cache mode '\(context.mode.rawValue)')"
            }
            request.context.mode = .protocolDefault
        }
        let told = request.head.headerFields.withoutSecrets.map { "\($0.name.rawName): \($0.value)" }
        words += ", with \(told.joined(separator: "; "))"
        if let mode = unknown.otherwise[FetchField.secFetchMode] {
            words += "; Sec-Fetch-Mode: \(mode), or cors for a module"
        }
        if self == .proxy, fields.userAgent == nil { words += "; its User-Agent is not known before one was open here" }
        return (request, unknown, words)
    }

    /// A GET of the app without `Accept-Encoding` takes what is stored, but for what others' cookies and passwords got.
    private func ofApp(_ given: EngineRequest, _ absent: Set<HTTPField.Name>) -> Asked {
        var (request, unknown) = (given, UnknownFields())
        unknown.impossible = absent.union([.cookie, .authorization])
        let fields = given.head.headerFields
        let takesAny = given.head.method == .get && !fields.contains(.acceptEncoding) && !fields.contains(.range)
        if !takesAny { unknown.possible = [] }
        if !fields.contains(.acceptEncoding), !absent.contains(.acceptEncoding) {
            // A part of coded content can't be decoded.
            let codings =
                fields.contains(.range)
                ? "identity" : ContentCodings.acceptEncoding(for: fields, isSecure: given.head.scheme != "http")
            if takesAny {
                unknown.otherwise[.acceptEncoding] = codings
            } else {
                request.head.headerFields[.acceptEncoding] = codings
            }
        }
        return (request, unknown, "the app itself, with the given fields alone")
    }

    private static func item(_ head: HTTPRequest, _ destination: Destination?) -> PreloadItem {
        let url = head.targetURL
        guard let destination, destination != .unknown else { return PreloadItem(url: url) }
        return PreloadItem(url: url, destination: PreloadDestination(rawValue: destination.description) ?? .fetch)
    }

    /// Adds the fields of WebKit's requests in a cache mode (Fetch §4.6, HTTP-network-or-cache fetch). A proxy and a
    /// scheme handler see nothing else of it. Returns whether it has any, or needs none.
    private static func tell(_ mode: CacheMode, in fields: inout HTTPFields) -> Bool {
        func add(_ name: HTTPField.Name, _ value: String) {
            if !fields.contains(name) { fields[name] = value }
        }
        switch mode {
        case .protocolDefault: break
        case .revalidate: add(.cacheControl, "max-age=0")
        case .noStore, .reload, .reloadIgnoringLocal:
            add(.cacheControl, "no-cache")
            add(.pragma, "no-cache")
        case .preferStored, .onlyIfStored: return false
        }
        return true
    }
}
