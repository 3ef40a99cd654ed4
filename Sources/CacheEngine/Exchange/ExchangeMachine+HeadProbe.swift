import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// Validation by HEAD first, when a rule says so; see `ValidationMethod.head`.
extension ExchangeMachine {
    /// The result of a HEAD.
    enum HeadProbe: Hashable {
        /// The stored response answers; no GET was needed.
        case saved
        /// A GET had to follow.
        case wasted
    }

    /// Whether a HEAD is on its way.
    var isProbing: Bool {
        if case .asking(.headProbe, _, _) = state { true } else { false }
    }

    /// Whether this response is validated by HEAD first.
    mutating func probesByHead(_ entry: StoredEntry) -> Bool {
        guard policy.validation == .head else { return false }
        if !mayProbeByHead { trace?.append(.skipsHeadProbe) }
        return mayProbeByHead && request.method == .get && entry.response.status == .ok
            && entry.response.extent == .complete
    }

    mutating func headProbeAnswered(_ entry: StoredEntry, _ answer: OriginAnswer) -> Action {
        headProbe = .wasted
        if answer.head.status == .notModified { return confirmed(by: answer, asked: [entry], fallback: entry) }
        // RFC 9110 §9.3.2 wants the same fields as for a GET, but many origins forbid HEAD or don't implement it.
        guard answer.head.status == .ok else { return askByGet(entry) }
        if HeadFreshening.confirms(entry.response, storedLength: entry.bodyLength.bytes, head: answer.fields),
            case .freshened(let response) = headFreshening(entry, by: answer)
        {
            noteHeadProbe(.saved)
            var freshened = entry
            freshened.response = response
            retain(&freshened.response)
            return freshen(freshened, by: answer)
        }
        // The origin has another representation now. The entry may still answer if the GET fails.
        return forwardAgain(.whole(fallback: entry))
    }

    /// Takes the failure of the HEAD.
    ///
    /// - Returns: `nil` if a GET would fail as well.
    mutating func headProbeFailed(_ entry: StoredEntry, _ error: TransportError) -> Action? {
        // Some servers close the connection, or send content, which an answer to HEAD does not have (RFC 9110 §9.3.2).
        guard error.code == .closedEarly || error.code == .malformedResponse else {
            state = .asking(.whole(fallback: entry), forwardReason ?? .stale, candidates)
            return nil
        }
        headProbe = .wasted
        return askByGet(entry)
    }

    private mutating func askByGet(_ entry: StoredEntry) -> Action {
        forwardAgain(
            .validation(of: [entry], fallback: entry), conditions: ConditionalRequest.validators(of: entry.response))
    }

    mutating func noteHeadProbe(_ result: HeadProbe) {
        headProbe = result
        noteHeadProbe()
    }

    /// Notes in `Cache-Status` the rule, and whether the HEAD was enough.
    mutating func noteHeadProbe() {
        guard isProbing || headProbe != nil, let rule = policy.rule else { return }
        status.detail = rule + (headProbe == .wasted ? "/head-get" : "/head")
    }
}

/// Which hosts are worth asking by HEAD first: a host where several HEADs in a row had to be followed by a GET is asked
/// by GET alone for a while.
///
/// In memory only, and only hosts where the last HEAD saved no GET.
final class HeadProbeHistory: Sendable {
    /// Consecutive useless HEADs before a host is asked by GET alone.
    static let mostWasted = 3
    /// How long a host is asked by GET alone: an hour. The next HEAD decides whether that is repeated.
    static let pause = Duration.seconds(3_600)
    /// How many hosts are remembered. Those beyond that are forgotten, and asked by HEAD again.
    static let limit = 256

    private struct Host: Sendable {
        var wasted: Int
        /// The uptime of the last HEAD.
        var last: Duration
    }

    private let hosts = LockedBox(RecentCache<String, Host>(budget: limit))

    func mayAsk(_ host: String, at uptime: @autoclosure () -> Duration) -> Bool {
        guard let known = hosts.withLock({ $0.value(for: host) }), known.wasted >= Self.mostWasted else { return true }
        return uptime() - known.last >= Self.pause
    }

    /// Notes the result of a HEAD.
    func note(_ host: String, saved: Bool, at uptime: Duration) {
        hosts.withLock { hosts in
            guard !saved else { return hosts.remove(host) }
            let wasted = min(Self.mostWasted, (hosts.value(for: host)?.wasted ?? 0) + 1)
            hosts.set(Host(wasted: wasted, last: uptime), for: host)
        }
    }
}
