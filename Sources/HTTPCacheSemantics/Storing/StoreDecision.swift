import HTTPTypes

/// Whether a response may be stored, and if not, why. RFC 9111 §3.
public enum StoreDecision: Hashable, Sendable {
    case store
    case doNotStore(Reason)

    /// Why a response is not stored. The raw value is its name in reports.
    public enum Reason: String, CaseIterable, Sendable {
        case methodNotStored = "method"
        case statusNotFinal = "interim-status"
        case statusNotUnderstood = "status-not-understood"
        /// A 206 without the position of its one part.
        case partialContent = "partial"
        case notModified = "not-modified"
        case noStoreInRequest = "request-no-store"
        case noStoreInResponse = "no-store"
        case privateInSharedCache = "private"
        case authenticatedInSharedCache = "authorization"
        case notCacheable = "no-explicit-freshness"
        case variesOnEverything = "vary-star"
        case conditionalRequest = "conditional-request"

        /// The field that forbids storing a response, and the cure, in one sentence.
        package var words: String { words(by: nil) }

        /// - Parameter rule: The one that decided about a response which the protocol alone would have stored.
        package func words(by rule: String?) -> String {
            switch self {
            case .noStoreInResponse: Self.forbidden(by: "no-store")
            case .privateInSharedCache: Self.forbidden(by: "private")
            case .authenticatedInSharedCache:
                "It was asked for with Authorization, and this store is shared; answer with 'Cache-Control: public'."
            case .variesOnEverything:
                "'Vary: *' forbids storing it; name the request fields that it depends on, or leave Vary out."
            case .noStoreInRequest:
                "The page asked for it with 'Cache-Control: no-store'; leave that out of the request."
            case .notCacheable:
                if let rule {
                    "The rule '\(rule)' stores only answers that state a lifetime, and this one states none: answer "
                        + "with 'Cache-Control: max-age=0', or change the rule."
                } else {
                    "It states no lifetime, and its status or a rule wants one: answer with 'Cache-Control: "
                        + "max-age=0', or change the rule."
                }
            case .methodNotStored: "Answers to POST and other methods than GET are not stored."
            case .statusNotFinal, .statusNotUnderstood, .partialContent, .notModified,
                .conditionalRequest:
                "Its status keeps it from being stored (\(rawValue)); answer 200 with 'Cache-Control: max-age=0'."
            }
        }

        private static func forbidden(by directive: String) -> String {
            "'Cache-Control: \(directive)' forbids storing it; answer with 'no-cache' in its place, or give it a "
                + "rule with \"ignoring\": [\"\(directive)\"]."
        }
    }

    /// Final status codes whose caching requirements this cache implements (§3, with `must-understand` §5.2.2.3).
    static func isUnderstood(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 206, 300, 301, 302, 303, 307, 308, 404, 405, 410, 414, 451, 501: return true
        default: return false
        }
    }

    /// "A cache MUST NOT store a response to a request unless" every condition of §3 holds, in its order.
    ///
    /// - Parameters:
    ///   - request: The request as it was forwarded, including its conditions.
    ///   - status: The response's status.
    ///   - fields: The response's fields as received.
    ///   - kind: Which of the private and shared readings applies.
    package static func decide(
        request: HTTPRequest, status: HTTPResponse.Status, fields: HTTPFields, in kind: CacheKind
    ) -> StoreDecision {
        let caching = CachingDirectives(fields, in: kind)
        let directives = caching.control
        // "the response contains at least one of": public, private, Expires, max-age, s-maxage, a cacheable status.
        let isFreshnessExplicit =
            (fields.contains(.expires) && !caching.isTargeted) || directives.has("max-age")
            || (kind == .shared && directives.has("s-maxage"))
        // "the request method is understood by the cache": responses to methods other than GET and some POSTs are
        // forwarded and not stored, which is always allowed.
        guard request.method == .get || isStorablePost(request, status, fields, isFreshnessExplicit) else {
            return .doNotStore(.methodNotStored)
        }
        // "the response status code is final"
        guard status.code >= 200 else { return .doNotStore(.statusNotFinal) }
        if status.code == 304 { return .doNotStore(.notModified) }
        // A part is stored if its position is known; a multipart response is only forwarded.
        if status.code == 206, fields[.contentRange].flatMap({ ContentRange($0) }) == nil {
            return .doNotStore(.partialContent)
        }
        // These answer a condition or a range of this request, which is not part of the cache key: they must not
        // answer a later request without it. Not storing is always allowed.
        if status.code == 412 || status.code == 416 { return .doNotStore(.conditionalRequest) }
        // "if the response status code is 206 or 304, or the must-understand directive is present:
        // the cache understands the response status code"
        let mustUnderstand = directives.has("must-understand")
        if mustUnderstand, !isUnderstood(status.code) { return .doNotStore(.statusNotUnderstood) }
        // "the no-store cache directive is not present in the response"; must-understand overrides it (§5.2.2.3)
        // for a cache that understands the status.
        if directives.has("no-store"), !mustUnderstand { return .doNotStore(.noStoreInResponse) }
        // §5.2.1.5: "a cache MUST NOT store any part of either this request or any response to it".
        if RequestDirectives(request.headerFields).noStore { return .doNotStore(.noStoreInRequest) }
        if kind == .shared {
            // "the private response directive is either not present or allows a shared cache": the qualified form
            // would need fields removed; not storing is the conservative reading, and allowed.
            if directives.has("private") { return .doNotStore(.privateInSharedCache) }
            // §3.5
            let allowsShared = ["public", "must-revalidate", "s-maxage"].contains { directives.has($0) }
            if request.headerFields.contains(.authorization), !allowsShared {
                return .doNotStore(.authenticatedInSharedCache)
            }
        }
        // §4.1: a response that varies on everything matches no later request, so storing it gains nothing.
        if case .anything = Vary(fields) { return .doNotStore(.variesOnEverything) }
        let isMarked = directives.has("public") || (kind == .private && directives.has("private"))
        guard isFreshnessExplicit || isMarked || HeuristicFreshness.isHeuristicallyCacheable(status.code) else {
            return .doNotStore(.notCacheable)
        }
        return .store
    }

    /// "Responses to POST requests are only cacheable when they include explicit freshness information … and a
    /// Content-Location header field that has the same value as the POST's target URI" (RFC 9110 §9.3.3). We accept
    /// status 200 only; other statuses describe the action rather than the response to a GET.
    private static func isStorablePost(
        _ request: HTTPRequest, _ status: HTTPResponse.Status, _ fields: HTTPFields, _ isFreshnessExplicit: Bool
    ) -> Bool {
        guard request.method == .post, status == .ok, isFreshnessExplicit, let key = CacheKey(request),
            let location = fields[.contentLocation]
        else { return false }
        return TargetURI.resolve(location, against: key.uri) == key.uri
    }
}

/// Which fields of a response are stored, RFC 9111 §3.1.
package enum StorableFields {
    /// "Caches MUST include all received response header fields — including unrecognized ones — when storing a
    /// response", except the connection's own and the proxy's.
    ///
    /// `Cache-Status` of caches closer to the origin is stored: each cache appends to it (RFC 9211 §2).
    ///
    /// - Parameter kind: Decides which directives count: where a targeted field governs a shared cache, the
    ///   qualified `no-cache` of `Cache-Control` is ignored, and its own counts (RFC 9213 §2.2).
    package static func select(from fields: HTTPFields, in kind: CacheKind = .private) -> HTTPFields {
        var kept = fields
        HopByHopFields.remove(from: &kept)
        var dropped: Set<HTTPField.Name> = [.proxyAuthenticate, .proxyAuthenticationInfo, .proxyAuthorization]
        // §5.2.2.4: leaving out the fields that `no-cache="name"` lists prevents their reuse without validation.
        // §5.2.2.7: a private cache need not do that for `private="name"`, and a shared one stores no such response.
        // Fields that decide about reuse stay; a list that names one counts as no-cache for the whole response.
        let qualified = CachingDirectives(fields, in: kind).control.qualifiedFieldNames("no-cache") ?? []
        dropped.formUnion(Set(qualified).subtracting(CacheControl.fieldsThatDecide))
        return kept.filter { !dropped.contains($0.name) }
    }
}

/// Whether a cache serves one user or many, RFC 9111 §1.
package enum CacheKind: String, Hashable, Sendable, CaseIterable {
    /// Dedicated to a single user: a web view's cache. Stores `private` and authenticated responses.
    case `private`
    /// Serves several users: a reverse proxy. Obeys `s-maxage`, `private`, `proxy-revalidate` and §3.5.
    case shared
}
