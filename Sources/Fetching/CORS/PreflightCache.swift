import HTTPCacheSemantics
import HTTPTypes

/// Remembers the grants in servers' answers to preflights, Fetch §4.10 "CORS-preflight cache".
///
/// A grant is used for the same origin, URL, credentials mode and top-level site only, so that no site learns what
/// another one has asked before. Bounded: the grant that ends first makes room.
package struct PreflightCache: Sendable {
    private struct Key: Hashable {
        var partition: Site?
        var origin: String
        var url: String
        var hasCredentials: Bool
    }

    private struct Entry {
        var grant: PreflightGrant
        var stored: WallInstant
        var end: WallInstant
    }

    /// The longest `Access-Control-Max-Age` that counts, as in WebKit.
    private static let greatestAge: Duration = .seconds(600)
    /// How many grants are kept.
    static let limit = 512
    /// Longer URLs and lists are asked about each time. In octets, and in names.
    private static let greatestURLLength = 4_096
    private static let greatestNameCount = 128
    private var entries: [Key: Entry] = [:]

    package init() {}

    var count: Int { entries.count }

    /// Whether a stored grant covers the request, so that its preflight need not be sent.
    ///
    /// - Parameter site: The site of the top-level document; `nil` if unknown.
    package mutating func allows(_ preflight: CORSPreflight, site: Site?, at now: WallInstant) -> Bool {
        guard let key = key(preflight, site), let entry = entries[key] else { return false }
        // A clock that was set back makes every grant of the future doubtful.
        guard now < entry.end, now >= entry.stored else {
            entries[key] = nil
            return false
        }
        return preflight.refusal(in: entry.grant) == nil
    }

    /// Keeps what a response allows. Call it after ``CORSPreflight/refusal(in:)`` has allowed the request.
    ///
    /// Without a readable `Access-Control-Max-Age` the grant lasts five seconds (§4.8 step 7.9).
    package mutating func store(
        _ response: HTTPResponse, to preflight: CORSPreflight, site: Site?, at now: WallInstant
    ) {
        guard let key = key(preflight, site), preflight.refusal(in: response) == nil,
            let grant = PreflightGrant(response.headerFields)
        else { return }
        let age = min(grant.maximumAge ?? .seconds(5), Self.greatestAge)
        guard age > .zero, grant.methods.count + grant.fieldNames.count <= Self.greatestNameCount else {
            entries[key] = nil
            return
        }
        if entries[key] == nil, entries.count >= Self.limit { makeRoom(at: now) }
        entries[key] = Entry(grant: grant, stored: now, end: now + age)
    }

    /// "Clear cache entries": a request that a grant covered met a network error.
    package mutating func remove(_ preflight: CORSPreflight, site: Site?) {
        if let key = key(preflight, site) { entries[key] = nil }
    }

    private mutating func makeRoom(at now: WallInstant) {
        entries = entries.filter { now < $0.value.end }
        while entries.count >= Self.limit, let first = entries.min(by: { $0.value.end < $1.value.end }) {
            entries[first.key] = nil
        }
    }

    /// `nil` where nothing is kept: for an unknown or opaque origin, which many documents share, and long URLs.
    private func key(_ preflight: CORSPreflight, _ site: Site?) -> Key? {
        guard let origin = preflight.origin, !origin.isOpaque, preflight.url.utf8.count <= Self.greatestURLLength else {
            return nil
        }
        return Key(
            partition: site, origin: origin.description, url: preflight.url,
            hasCredentials: preflight.credentials == .include)
    }
}

/// Permissions in a server's answer to a preflight, and how long they last.
struct PreflightGrant: Hashable, Sendable {
    /// As spelled: methods are case-sensitive.
    var methods: Set<String>
    /// In lower case.
    var fieldNames: Set<String>
    /// `nil` if the field is absent or no number.
    var maximumAge: Duration?

    /// - Returns: `nil` if a list is malformed: "If either methods or headerNames is failure, return a network error."
    init?(_ fields: HTTPFields) {
        guard let methods = FetchText.tokens(.accessControlAllowMethods, in: fields),
            let names = FetchText.tokens(.accessControlAllowHeaders, in: fields)
        else { return nil }
        self.methods = Set(methods)
        fieldNames = Set(names.map { FetchText.lowercased($0) })
        // Fetch §4.8 takes a negative number for none at all, which would be 5 s; engines take it for 0, and tests
        // expect that.
        maximumAge = fields[.accessControlMaxAge].flatMap {
            $0.hasPrefix("-") ? DeltaSeconds.parse(String($0.dropFirst())).map { _ in .zero } : DeltaSeconds.parse($0)
        }
    }
}
