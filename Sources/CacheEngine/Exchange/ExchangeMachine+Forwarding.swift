import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension ExchangeMachine {
    /// Sends a request to the origin if there is a network.
    ///
    /// - Parameters:
    ///   - question: What it asks the origin; decides how the answer is read.
    ///   - method: The request's method; `nil` for the client's own.
    ///   - conditions: Fields that replace the client's own conditions and range.
    ///   - keepingRange: Leaves the client's range and its condition as they are.
    mutating func forward(
        _ reason: ForwardReason, _ question: Question, method: HTTPRequest.Method? = nil,
        conditions: HTTPFields = [:], keepingRange: Bool = false
    ) -> Action {
        let candidates = candidates
        state = .asking(question, candidates)
        status.forward = reason
        status.isHit = false
        status.timeToLive = nil
        status.forwardStatus = nil
        if !context.connectivity.hasNetwork { return withoutNetwork(question.fallback, lookedUpAt: candidates.time) }
        var outgoing = request
        if let method { outgoing.method = method }
        if !conditions.isEmpty {
            // The client's own conditions are evaluated against the stored response afterwards; if they were sent
            // along, a 304 could answer either. A range is answered from the store, or from the new response.
            let replaced: [HTTPField.Name] =
                [.ifNoneMatch, .ifModifiedSince] + (keepingRange ? [] : [.ifRange, .range])
            for name in replaced { outgoing.headerFields[name] = nil }
            for field in conditions { outgoing.headerFields[field.name] = field.value }
        }
        addModeFields(to: &outgoing.headerFields)
        let isPlain = request.method == .get && prepared.isPlain
        let isShareable = !fields.contains(.authorization) && !directives.noStore && mode != .noStore
        let mayCollapse = reason != .bypass && !wantsOriginsAnswer && isPlain && isShareable
        return .forward(outgoing, mayCollapse: mayCollapse)
    }

    /// Whether the client wants the origin's current response, whatever is stored: then an answer to an earlier request
    /// does not do (§5.2.1.1, §5.2.1.4).
    var wantsOriginsAnswer: Bool {
        if context.isBackground { return false }
        return status.forward == .request || mode == .revalidate || directives.noCache
            || directives.maxAge == .zero
    }

    /// Decides without a network: nothing is sent, whatever the rules say. "A cache … MAY serve stale if disconnected"
    /// (RFC 9111 §4.2.4), unless the response or a rule forbids it.
    private mutating func withoutNetwork(_ fallback: StoredEntry?, lookedUpAt time: WallInstant?) -> Action {
        guard let fallback, let time else { return fail(Self.disconnected) }
        guard let reason = staleReason(.unreachable, for: fallback, at: time) else {
            return fail(Self.mayNotAnswer)
        }
        let action = serve(fallback, .stale, time, reason)
        // The origin was not tried, so it is not the one that is unreachable.
        if status.detail == reason.rawValue { status.detail = Self.disconnected.code.name }
        return action
    }

    /// Adds what a cache mode asks of the caches on the way: Fetch §4.6, HTTP-network-or-cache fetch.
    private func addModeFields(to fields: inout HTTPFields) {
        switch mode {
        case .revalidate where !context.isBackground:
            if !fields.contains(.cacheControl) { fields[.cacheControl] = "max-age=0" }
        case .noStore, .reload:
            if !fields.contains(.pragma) { fields[.pragma] = "no-cache" }
            if !fields.contains(.cacheControl) { fields[.cacheControl] = "no-cache" }
        case .protocolDefault, .reloadIgnoringLocal, .revalidate, .preferStored, .onlyIfStored: break
        }
    }
}
