import CacheEngine
import CacheRules
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import Locking

/// The fields of a web view's requests, and so of what is fetched ahead: its `Vary` selects it (RFC 9111 §4.1).
package struct ViewFields: Hashable, Sendable {
    /// `nil`, where it is not sent or not known yet.
    package var userAgent: String?
    /// As ``userAgent``.
    package var acceptLanguage: String?
    /// As the view sends it over TLS, so that `Vary` selects the response, also where br can't be decoded here.
    package var acceptEncoding: String
    /// The `Accept` of each destination, where learned; others as WebKit sends it.
    package var accept: [Destination: String]
    /// Whether the view's requests have `Sec-Fetch-Dest` and its like (Fetch Metadata).
    package var sendsFetchMetadata: Bool
    /// Others that every request has, in the place of those above where they have the same name. Not kept.
    package var more: HTTPFields = [:]
    /// `Authorization` for each host that wants it, by authority. Not kept.
    package var authorization: [String: String] = [:]

    /// WebKit's fields; without a name or languages, which depend on the app and the device.
    package init(userAgent: String? = nil, acceptLanguage: String? = nil) {
        self.userAgent = userAgent
        self.acceptLanguage = acceptLanguage
        acceptEncoding = "gzip, deflate, br"
        accept = [:]
        sendsFetchMetadata = true
    }

    /// Destinations whose `Accept` no script chooses.
    static let fixed: Set<Destination> = [.document, .iframe, .style, .image]

    /// Takes over what a page's own request has. Requests of the app itself, which have no destination, say nothing.
    package mutating func learn(from request: HTTPRequest, destination: Destination) {
        let fields = request.headerFields
        guard destination != .unknown, destination != .report, request.method == .get else { return }
        // Scripts may choose both.
        if destination != .fetch, let name = fields[.userAgent] { userAgent = name }
        if destination != .fetch, let languages = fields[.acceptLanguage] { acceptLanguage = languages }
        // A part is asked for uncoded, whatever else the view accepts.
        let isMedia = destination == .audio || destination == .video || fields.contains(.range)
        if !isMedia, let codings = fields[.acceptEncoding] {
            let isKnown = request.scheme == "http" && codings == Self.codingsWithoutTLS(acceptEncoding)
            if !isKnown { acceptEncoding = codings }
        }
        if Self.fixed.contains(destination), let types = fields[.accept] { accept[destination] = types }
        if request.scheme == "https" { sendsFetchMetadata = fields.contains(.secFetchDest) }
    }

    /// The request that a page will make for an item.
    ///
    /// - Parameter url: The item's, or one that it redirects to.
    /// - Returns: `nil` if it is no http or https URL.
    package func request(for item: PreloadItem, at url: String) -> HTTPRequest? {
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            let parts = TargetURI.resolve(url, against: url).flatMap({ TargetURI.split($0) })
        else { return nil }
        var fields = HTTPFields()
        fields[.accept] = acceptValue(item.destination)
        let codings = parts.scheme == "http" ? Self.codingsWithoutTLS(acceptEncoding) : acceptEncoding
        fields[.acceptEncoding] = item.destination.isMedia ? "identity" : codings
        fields[.acceptLanguage] = acceptLanguage
        fields[.userAgent] = userAgent
        // WebKit's FrameLoader: with documents of all schemes but https.
        if parts.scheme == "http", item.destination == .document || item.destination == .iframe {
            fields[FetchField.upgradeInsecureRequests] = "1"
        }
        let relation = item.relation(to: url)
        // WebKit sends it for modules and with `crossorigin` to the page's own origin as well.
        if item.mode == .cors, item.destination == .module || item.usesCORS || relation != .sameOrigin {
            fields[.origin] = WebOrigin(url: item.origin ?? item.url).description
        }
        // Fetch Metadata §2: "If r's url is not a potentially trustworthy URL, return."
        let host = TrustworthyOrigin.host(of: parts.authority)
        if sendsFetchMetadata, parts.scheme == "https" || PrivateNetwork.isLoopback(host: host) {
            fields[.secFetchDest] = item.destination.destination.rawValue
            fields[FetchField.secFetchMode] = item.mode.rawValue
            fields[FetchField.secFetchSite] = relation?.rawValue ?? "none"
        }
        add(to: &fields)
        return HTTPRequest(
            method: .get, scheme: parts.scheme, authority: parts.authority, path: parts.path, headerFields: fields)
    }

    /// Adds what the caller has named.
    func add(to fields: inout HTTPFields) {
        for name in Set(more.map(\.name)) where name != .authorization { fields[values: name] = more[values: name] }
    }

    /// `Authorization` for a host. It is sent, but is no part of the request that is stored: pages that the web view
    /// asks for without a network have none.
    func login(at authority: String) -> String? { authorization[authority.lowercased()] ?? more[.authorization] }

    /// Web views ask for br over TLS alone.
    private static func codingsWithoutTLS(_ codings: String) -> String {
        let names = codings.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        guard names.contains("br") else { return codings }
        return names.filter { $0 != "br" && $0 != "zstd" }.joined(separator: ", ")
    }

    private func acceptValue(_ destination: PreloadDestination) -> String {
        if let learned = accept[destination.destination] { return learned }
        return switch destination {
        case .document, .iframe: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
        case .style: "text/css,*/*;q=0.1"
        case .image: "image/webp,image/avif,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"
        default: "*/*"
        }
    }
}

extension PreloadItem {
    /// `Sec-Fetch-Site` (Fetch Metadata §2.3) from the page that will ask to a URL; `nil` where the user asks.
    func relation(to url: String) -> SiteRelation? {
        if destination == .document { return nil }
        // The usual case reads no URL: lists have fifty thousand.
        if site.isEmpty, origin == nil, url == self.url { return .sameOrigin }
        return site.isEmpty
            ? SiteRelation(
                WebOrigin(url: origin ?? self.url), to: WebOrigin(url: url),
                registrableDomain: { PublicSuffixes.registrableDomain($0) })
            : .crossSite
    }
}

/// Kept, so that what was learned is known at the next start.
extension ViewFields: Codable {
    private struct Kept: Codable {
        var userAgent, acceptLanguage, acceptEncoding: String?
        var accept: [String: String]
        var sendsFetchMetadata: Bool
    }

    /// Values are those that a page's requests had; one that is longer than 4 KiB or not ASCII is left out.
    package func encode(to encoder: any Encoder) throws {
        func kept(_ value: String?) -> String? { value.flatMap { Self.isFieldValue($0) ? $0 : nil } }
        let types = accept.filter { Self.fixed.contains($0.key) && Self.isFieldValue($0.value) }
        let named = Dictionary(types.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { $1 })
        let all = Kept(
            userAgent: kept(userAgent), acceptLanguage: kept(acceptLanguage), acceptEncoding: kept(acceptEncoding),
            accept: named, sendsFetchMetadata: sendsFetchMetadata)
        try all.encode(to: encoder)
    }

    /// - Throws: `DecodingError`, also where a value is none that a field may have.
    package init(from decoder: any Decoder) throws {
        let kept = try Kept(from: decoder)
        self.init(userAgent: kept.userAgent, acceptLanguage: kept.acceptLanguage)
        (acceptEncoding, sendsFetchMetadata) = (kept.acceptEncoding ?? acceptEncoding, kept.sendsFetchMetadata)
        for (name, types) in kept.accept { accept[Destination(rawValue: name) ?? .unknown] = types }
        let values = [userAgent, acceptLanguage, acceptEncoding].compactMap(\.self) + Array(accept.values)
        guard values.allSatisfy(Self.isFieldValue), Self.fixed.isSuperset(of: accept.keys) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "It is no field's value, or a script's."))
        }
    }

    /// RFC 9110 §5.5, without octets beyond ASCII.
    private static func isFieldValue(_ text: String) -> Bool {
        (1...4_096).contains(text.utf8.count) && text.utf8.first != 0x20 && text.utf8.last != 0x20
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}

/// Keeps what the last requests of pages looked like.
package final class ViewFieldsLearner: Sendable {
    private let fields: LockedBox<ViewFields>

    package init(_ known: ViewFields, _ cache: ResponseCache) {
        fields = LockedBox(known)
        learn(from: cache)
    }

    /// Learns from the pages behind another cache as well.
    func learn(from cache: ResponseCache) {
        let fields = fields
        cache.onForwarding(self) { head, context in
            fields.withLock { $0.learn(from: head, destination: context.destination) }
        }
    }

    package var current: ViewFields { fields.withLock { $0 } }
}
