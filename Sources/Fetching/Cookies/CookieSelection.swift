import HTTPCacheSemantics

/// The cookies that go with a request, in the order of RFC 6265bis §5.8.3.
public struct CookieSelection: Hashable, Sendable {
    /// Longer paths come first. Among paths of one length the order of the store remains, which is the order of
    /// creation in a store that knows it.
    public let cookies: [Cookie]

    /// - Parameters:
    ///   - stored: What ``CookieStoring/cookies(for:)`` returned, or any other cookies.
    ///   - now: The moment of the request.
    public init(from stored: [Cookie], for hop: CookieHop, policy: CookiePolicy, at now: WallInstant) {
        guard let target = CookieTarget(hop.url) else {
            cookies = []
            return
        }
        let sent = stored.filter {
            CookieSendDecision.decide($0, for: hop, to: target, policy: policy, at: now) == .send
        }
        // `sort` does not promise to keep the order of equals.
        cookies = sent.enumerated().sorted {
            let (one, other) = ($0.element.path.utf8.count, $1.element.path.utf8.count)
            return one == other ? $0.offset < $1.offset : one > other
        }.map(\.element)
    }

    /// The value of the `Cookie` field (the cookie-string of §5.8.3 step 6); `nil` without a cookie.
    public var cookieString: String? {
        guard !cookies.isEmpty else { return nil }
        return cookies.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
