import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// Cookies that scripts count with, such as those of analytics: pages change them at each visit, and where a document
/// and its files have `Vary: Cookie`, none that is stored fits the next visit (RFC 9111 §4.1). Without a network that
/// page would be gone.
///
/// So then, and only then, a stored response answers although cookies differ, if no server has ever set those cookies.
/// A cookie that a server sets keeps users apart as ever. What an app gives to its web view's own cookie store comes
/// from no response, and looks like a script's: such an app names its accounts.
enum ScriptCookies {
    /// How the answer is called in `Cache-Status` and by `larder explain`.
    static let name = "script-cookies"
    /// The same where fields of the web view differ.
    static let fieldsName = "browser-fields"

    /// A stored response that only cookies keep from answering, or fields that a web view sets by itself.
    struct Barred {
        var entry: StoredEntry
        /// The cookies that differ; `nil` where fields of the web view do.
        var names: Set<String>?
        /// From when on it matters who has set them.
        var since: StoredEntry.ID
    }

    /// A cookie's name, as the store notes it.
    static func noted(_ name: String, on authority: String) -> String {
        let host = String(authority.prefix { $0 != ":" }).lowercased()
        return "\(PublicSuffixes.registrableDomain(host) ?? host) \(name)"
    }
}

extension ExchangeMachine {
    private static let browserFields: Set = ["user-agent", "save-data", "priority", "cache-control", "pragma"]
    private static let waysToPage: Set = ["sec-fetch-site", "sec-fetch-user", "referer"]

    /// Whether a field says which web view asks, or how a page was reached: an update of the system changes the one,
    /// and a page that the app opens is reached in another way than by a link, or by a reload.
    private func isBrowserField(_ name: String) -> Bool {
        Self.browserFields.contains(name) || name.hasPrefix("sec-ch-")
            || context.destination == .document && Self.waysToPage.contains(name)
    }

    /// The stored responses that only cookies, and fields of the web view, keep from answering without a network, the
    /// most recent first.
    func barredByCookies(_ found: [StoredEntry]) -> [ScriptCookies.Barred] {
        guard isCacheOnly, !context.connectivity.hasNetwork, let authority = request.authority else { return [] }
        let entries = found.filter { isCandidate($0) && answersOrigin($0.response) }
        guard !entries.contains(where: { isNominated($0.response) }) else { return [] }
        let presented = NominatedFields(fields, vary: .fields([.cookie])).cookie
        let values = CookieNames.values(in: presented)
        return entries.sorted { $0.response.date > $1.response.date }.compactMap { entry in
            let nominated = entry.response.nominatedFields
            guard nominated.leavingOut({ $0 == "cookie" || isBrowserField($0) }).match(fields) else { return nil }
            if nominated.leavingOut({ $0 != "cookie" }).match(fields) {
                return ScriptCookies.Barred(entry: entry, names: nil, since: entry.id)
            }
            let stored = nominated.cookie
            // One that this very response has set keeps nobody apart from it, such as the token of a form.
            let own = CookieNames.set(by: entry.response.fields)
            let names = CookieNames.differing(stored, presented).filter { name in
                own[name].map { values[name] != [$0] } ?? true
            }
            var since = entry.id
            // A cookie that is gone may be one that a server had set before this store was there: unless an earlier
            // response was stored without it.
            for name in names.subtracting(values.keys) {
                let without = entries.filter {
                    $0.response.responseTime < entry.response.responseTime
                        && CookieNames.values(in: $0.response.nominatedFields.cookie)[name] == nil
                }
                guard let first = without.min(by: { $0.id.rawValue < $1.id.rawValue }) else { return nil }
                if first.id.rawValue < since.rawValue { since = first.id }
            }
            return ScriptCookies.Barred(
                entry: entry, names: Set(names.map { ScriptCookies.noted($0, on: authority) }), since: since)
        }
    }

    /// Why none of the stored responses answers without a network.
    var disconnectedFailure: EngineError {
        guard let varyMiss else { return Self.disconnected }
        return EngineError(code: .disconnected, message: "There is no network, and \(varyMiss).")
    }

    /// The stored responses that answer other requests for the address, and how those differ; `nil` if none does.
    var varyMiss: String? {
        let barred = candidates.entries.filter {
            !isNominated($0.response) && !StoredNotes.isSetAside($0.response)
        }
        let differing = barred.map {
            ($0.response.nominatedFields, $0.response.nominatedFields.differing(from: fields))
        }
        let names = Set(differing.flatMap(\.1)).sorted()
        guard !names.isEmpty else { return nil }
        let presented = NominatedFields(fields, vary: .fields(names.compactMap { HTTPField.Name($0) }))
        let words = names.map { name in
            let title = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
                .joined(separator: "-")
            // Values that say who asks are for nobody to read.
            guard name != "cookie", name != "authorization" else { return title }
            func text(_ value: String??) -> String { value.flatMap { $0 }.map { "'\($0.prefix(200))'" } ?? "none" }
            let stored = Set(differing.filter { $0.1.contains(name) }.map { text($0.0.values[name]) }).sorted()
            return "\(title) (stored for \(stored.joined(separator: ", ")), asked with \(text(presented.values[name])))"
        }
        let variants = barred.count == 1 ? "the one variant" : "the \(barred.count) variants"
        let are = barred.count == 1 ? "is stored for this address is" : "are stored for this address are"
        return "\(variants) that \(are) for other values of " + words.joined(separator: ", ")
    }
}

extension RunningExchange {
    /// Notes the cookies that a response sets, before anybody sees it.
    func noteServerCookies(_ fields: HTTPFields) async {
        guard fields.contains(.setCookie), let authority = head.authority else { return }
        let names = CookieNames.set(by: fields).keys.map { ScriptCookies.noted($0, on: authority) }
        try? await cache.store.noteServerCookies(Set(names))
    }
}

/// The scripts of service workers that were asked for lately, and what they import.
///
/// A browser installs a new worker where the octets of its script, or of one that it imports, have changed, and asks
/// the network for the first at each update. An import that the store answers while it is validated would go into the
/// new worker as it was, and stay there until the next update.
final class WorkerScripts: Sendable {
    /// A stored response with this tag was imported by a worker. The update of a worker asks for it again without
    /// saying so: WebKit names the site as its referrer.
    static let tag = "service-worker:import"
    /// The script of a service worker itself.
    static let scriptTag = "service-worker:script"
    /// How many are known; the oldest are forgotten.
    static let most = 64

    private let urls = LockedBox<[String]>([])
    private let hasAny = AtomicFlag(false)

    /// Service Workers §4.1; without a secure context there is no `Sec-Fetch-Dest`.
    static func isScript(_ request: EngineRequest) -> Bool {
        let destination = request.context.destination
        return destination == .serviceWorker
            || destination == .unknown && request.head.headerFields[.serviceWorker] == "script"
    }

    /// Whether a worker's script imports what is asked for. Notes the scripts of workers, and what they import, since
    /// that may import more.
    func imports(_ request: EngineRequest) -> Bool {
        let (head, destination) = (request.head, request.context.destination)
        let isScript = Self.isScript(request)
        // A fetch of the worker is another thing.
        let mayBeImported = hasAny.value && (destination == .script || destination == .unknown)
        guard isScript || mayBeImported else { return false }
        let referrer = isScript ? nil : head.headerFields[.referer].map(TargetURI.comparable)
        let isImport = referrer.map { referrer in urls.withLock { $0.contains(referrer) } } ?? false
        guard isScript || isImport else { return false }
        let url = head.url
        hasAny.value = true
        urls.withLock { urls in
            urls.removeAll { $0 == url }
            urls = (urls + [url]).suffix(Self.most)
        }
        return isImport
    }
}

extension ResponseCache {
    /// Whether a host has a service worker whose script is stored. It has an answer of its own where a request fails,
    /// and takes a response, also one of 504, for its server's.
    package func hasServiceWorker(on authority: String, partition: String) async -> Bool {
        var selection = EntrySelection(partition: partition)
        (selection.host, selection.tag) = (authority, WorkerScripts.scriptTag)
        return (try? await store.summaries(of: selection, after: nil, limit: 1))?.isEmpty == false
    }
}
