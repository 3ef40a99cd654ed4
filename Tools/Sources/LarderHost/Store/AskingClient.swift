import CacheEngine
import CacheRules
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import Preloading
import WebVisit

/// The client as which `larder explain` asks: each sends fields of its own, which select among stored responses.
package enum AskingClient: String, CaseIterable, Sendable {
    /// A web view behind the proxy, or in front of a scheme handler.
    case proxy, appScheme
    /// The app itself, by `larder.data(for:)` or a session: with the fields that are given, and no others.
    case data, session

    private var isWebView: Bool { self == .proxy || self == .appScheme }

    /// A request, what is not known of it, and how it asks in words.
    struct Asked {
        var head: HTTPRequest
        var destination: Destination
        var mode: CacheMode
        var unknown = UnknownFields()
        var words: String
    }

    /// - Parameters:
    ///   - head: The request with the fields that are given; one without a value is left out.
    ///   - destination: What the response is for; `nil` where the path tells.
    ///   - mode: As a page's `fetch` has it.
    ///   - folder: The store's, where the fields of the last web view are kept.
    /// - Throws: ``HostError`` for a cache mode that a web view does not have.
    func asked(
        _ head: HTTPRequest, _ destination: Destination?, _ mode: CacheMode, folder: String
    ) throws(HostError) -> Asked {
        let absent = Set(head.headerFields.filter { $0.value.isEmpty }.map(\.name))
        var given = head
        for name in absent { given.headerFields[name] = nil }
        guard isWebView else {
            var asked = Asked(
                head: given, destination: destination ?? Destination(head), mode: mode,
                words: "the app itself, with the given fields alone")
            if !absent.isEmpty { asked.unknown.possible = Self.all(head.headerFields).subtracting(absent) }
            return asked
        }
        let item = Self.item(head, destination)
        let (fields, isKnown) = viewFields(folder)
        guard let own = item.flatMap({ fields.request(for: $0, at: $0.url) }) else {
            return Asked(head: given, destination: destination ?? Destination(head), mode: mode, words: rawValue)
        }
        for field in own.headerFields where !given.headerFields.contains(field.name) && !absent.contains(field.name) {
            given.headerFields.append(field)
        }
        let view = self == .proxy ? "a web view behind the proxy" : "a web view at the app's scheme"
        var asked = Asked(
            head: given, destination: destination ?? item?.destination.destination ?? .document, mode: .protocolDefault,
            words: view)
        // The page that asks may be of another origin.
        asked.unknown.possible = Set([.cookie, .origin, .referer]).subtracting(absent)
        if fields.userAgent == nil {
            asked.unknown.certain = Set([.userAgent, .acceptLanguage].filter { !given.headerFields.contains($0) })
                .subtracting(absent)
            asked.unknown.possible?.formUnion(asked.unknown.certain)
        }
        try Self.apply(mode, to: &asked)
        let names = given.headerFields.map { "\($0.name.rawName): \($0.value)" }.joined(separator: "; ")
        asked.words += ", with \(names)" + (isKnown ? "" : "; its User-Agent is not known before one was open here")
        return asked
    }

    /// All names that a stored response may have been selected by, but these.
    private static func all(_ fields: HTTPFields) -> Set<HTTPField.Name> {
        Set([.cookie, .accept, .acceptLanguage, .acceptEncoding, .userAgent, .origin, .referer] + fields.map(\.name))
    }

    private static func item(_ head: HTTPRequest, _ destination: Destination?) -> PreloadItem? {
        guard let scheme = head.scheme, let authority = head.authority, let path = head.path else { return nil }
        let url = "\(scheme)://\(authority)\(path)"
        guard let destination, destination != .unknown else { return PreloadItem(url: url) }
        return PreloadItem(url: url, destination: PreloadDestination(rawValue: destination.description) ?? .fetch)
    }

    /// The fields of the last web view, and whether there was one.
    private func viewFields(_ folder: String) -> (ViewFields, Bool) {
        let mode: InterceptionMode = self == .proxy ? .proxy : .appScheme
        let path = folder + "/preload/view-fields"
        guard self == .proxy, let bytes = FileManager.default.contents(atPath: path),
            let known = ViewFields(text: String(decoding: bytes, as: UTF8.self))
        else { return (ViewFields(through: mode), self == .appScheme) }
        return (known, known.userAgent != nil)
    }

    /// The fields of WebKit's requests in a cache mode (Fetch §4.6, HTTP-network-or-cache fetch). A proxy and a scheme
    /// handler see nothing else of it.
    private static func apply(_ mode: CacheMode, to asked: inout Asked) throws(HostError) {
        func add(_ name: HTTPField.Name, _ value: String) {
            if !asked.head.headerFields.contains(name) { asked.head.headerFields[name] = value }
        }
        switch mode {
        case .protocolDefault: break
        case .revalidate: add(.cacheControl, "max-age=0")
        case .noStore, .reload:
            add(.cacheControl, "no-cache")
            add(.pragma, "no-cache")
        case .preferStored, .onlyIfStored:
            asked.words += " (which tells nobody of its cache mode '\(mode.rawValue)')"
        case .reloadIgnoringLocal:
            throw HostError(
                code: .badUse, message: "No page has the cache mode '\(mode.rawValue)'; take --as data or --as session."
            )
        }
    }
}
