import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Which answers leave what is stored in its place, and which show that it does not hold any more.
extension ExchangeMachine {
    /// Whether an answer that is not stored shows that what is stored for the request does not hold any more. §4.3.3:
    /// "A full response … indicates that none of the stored responses nominated in the conditional request are
    /// suitable." A server that fails, that is asked too much, or that does not like this one request, has said nothing
    /// of the kind; nor has what one user alone gets of a shared cache.
    func outdates(_ head: HTTPResponse) -> Bool {
        request.method == .get && !prepared.hasContent && head.status.kind != .serverError
            && !Self.saysNothing.contains(head.status.code) && ![206, 304].contains(head.status.code)
            && !(kind == .shared && fields.contains(.authorization))
    }

    /// The client errors that are of one request, and not of what is at its address.
    private static let saysNothing: Set = [400, 407, 408, 412, 416, 421, 425, 429, 431]

    /// Those that are of who asks: a session that has ended, or a firewall that blocks.
    private static let saysWhoAsks: Set = [401, 403, 419, 451]

    /// The stored responses that such an answer outdates: those that the request selects. A file of a release stays
    /// until the next release takes its place.
    func outdated(_ entries: [StoredEntry]) -> [StoredEntry] {
        entries.filter { entry in
            let response = entry.response
            return isReplaced(response) && !response.needsValidation && !response.isOfRelease
                && !StoredNotes.isSetAside(response) && ContentCoding.isAcceptable(response.fields, to: fields)
        }.map { entry in
            var entry = entry
            entry.response.needsValidation = true
            return entry
        }
    }

    /// Whether a redirect that only a verdict lets be stored would take a page's place: it may lead to a sign-in, or
    /// come from whoever runs the network. A page may also be there where the store was not asked.
    ///
    /// - Parameter stored: The redirect as it would be stored.
    func hidesPage(_ head: HTTPResponse, _ stored: StoredResponse) -> Bool {
        guard head.status.kind == .redirection else { return false }
        // It may lead to an address that has the same key, and so to itself for ever.
        if prepared.leadsToOwnKey(head) { return true }
        // Other addresses get it, too, so no more than where there is no network.
        if prepared.sharesKey { return !givesLifetime || candidates.time == nil || hasStoredSuccess }
        guard candidates.time == nil || hasStoredSuccess else { return false }
        // Frameworks mark each answer, `no-cache, private` for one, and so where a user who has no session is led.
        if context.checksAllowedOrigin {
            let freshness = FreshnessInfo(of: stored, in: kind)
            return freshness.mustValidate || freshness.lifetime.source == .heuristic
                || freshness.lifetime.duration <= .zero
        }
        return givesLifetime
            && StoreDecision.decide(request: request, status: head.status, fields: head.headerFields, in: kind)
                != .store
    }

    /// Whether an error that says nothing of what is at the address would take the place of a stored success, which a
    /// web view then lacks without a network: frameworks state for errors what they state for answers.
    func hidesSuccess(_ head: HTTPResponse) -> Bool {
        // Nor does an error of one of the addresses that share a key.
        let isOfOthers = prepared.sharesKey && head.status.code >= 400
        let saysNothing =
            head.status.kind == .serverError || Self.saysNothing.contains(head.status.code)
            || context.destination.isPage && Self.saysWhoAsks.contains(head.status.code)
        return (saysNothing && context.checksAllowedOrigin || isOfOthers) && hasStoredSuccess
    }

    /// Whether a navigation gets nothing to show in place of a stored page. With 204 and 205 a browser keeps the page
    /// that it shows (HTML, "navigate"; RFC 9110 §15.3.5), and no content at all is what a server sends that breaks
    /// down.
    func leavesPage(_ head: HTTPResponse, _ length: Int64?) -> Bool {
        context.destination.isPage && head.status.kind == .successful && request.method == .get
            && ([204, 205].contains(head.status.code) || length == 0)
            && (candidates.time == nil
                || candidates.entries.contains { $0.bodyLength > .zero && isNominated($0.response) })
    }

    private var hasStoredSuccess: Bool {
        candidates.entries.contains { $0.response.status.kind == .successful && isNominated($0.response) }
    }
}
