import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// The terms of an exchange that fetches ahead of need, while nobody waits.
///
/// A *staged* one stores under a key of its own, which no other request has: what it stores is unverified, and becomes
/// visible only by ``ResponseCache/publish(_:)``.
package final class PreloadTerms: Sendable {
    private struct State {
        var isPromoted = false
        var received: Int64 = 0
        /// Counts as a page's own traffic from when a page waits for it.
        var visit: VisibleTraffic.Visit?
        var hasEnded = false
        var sentFields: HTTPFields
    }

    package let isStaged: Bool
    /// The content that is expected: two preloads of one URL that expect two contents don't share what is staged.
    private let stage: String
    private let state: LockedBox<State>

    package init(sentFields: HTTPFields, isStaged: Bool, stage: String = "") {
        state = LockedBox(State(sentFields: sentFields))
        (self.isStaged, self.stage) = (isStaged, stage)
    }

    /// Fields that are sent, but are not part of the stored request, such as `Sec-Purpose`.
    package var sentFields: HTTPFields { state.withLock { $0.sentFields } }

    /// Sends a field no more from now on.
    ///
    /// - Returns: Whether it was sent so far.
    package func leaveOut(_ name: HTTPField.Name) -> Bool {
        state.withLock { state in
            defer { state.sentFields[name] = nil }
            return state.sentFields.contains(name)
        }
    }

    /// Whether a page waits for this exchange, so that it does not give way to pages any more.
    package var isPromoted: Bool { state.withLock { $0.isPromoted } }

    /// Bytes of content that came from the network.
    package var receivedBytes: Int64 { state.withLock { $0.received } }

    func received(_ count: Int) { state.withLock { $0.received += Int64(count) } }

    /// Notes that a page waits for this exchange.
    func promote(in traffic: VisibleTraffic) {
        let isFirst = state.withLock { state in
            defer { state.isPromoted = true }
            return !state.isPromoted && !state.hasEnded
        }
        guard isFirst else { return }
        let visit = traffic.begin()
        let isOver = state.withLock { state in
            if !state.hasEnded { state.visit = visit }
            return state.hasEnded
        }
        if isOver { traffic.end(visit) }
        traffic.wake()
    }

    func end(in traffic: VisibleTraffic) {
        let visit = state.withLock { state in
            state.hasEnded = true
            defer { state.visit = nil }
            return state.visit
        }
        if let visit { traffic.end(visit) }
    }

    /// The site of a staged key. No document has such a site.
    func stagedSite(_ site: String) -> String { "preload:" + stage + site }
}

/// The tag of a stored response whose content, decoded, had this SHA-256. It stays when the response is freshened,
/// because that leaves the content as it is.
package enum VerifiedContent {
    private static let prefix = "content-sha256:"
    /// The tag of a file of a release with documents. Where a page replaces it by a newer one, it stays beside that, so
    /// that the release opens without a network until the next one takes its place as a whole.
    package static let release = "release-file"
    /// The tag of a file that a page had stored before a preload found it right.
    package static let visited = "visited-file"

    package static func tag(_ digest: BodyDigest) -> String { prefix + digest.description }

    /// Whether it says that the content was verified, whatever that was.
    package static func isTag(_ name: String) -> Bool { [release, visited].contains(name) || name.hasPrefix(prefix) }

    // MARK: Variants

    /// Signed content is the same for every request, whatever `Vary` names, but for those that say who asks.
    private static let selecting: Set<String> = ["authorization", "cookie"]
    /// Nominated by what stays beside a newer response. No request has such a field, so it never matches by itself.
    private static let kept = ":release"

    /// Lets a verified response answer each request for its URL.
    static func answerAll(_ response: inout StoredResponse) {
        guard response.tags.contains(where: isTag), !StoredNotes.isSetAside(response) else { return }
        response.nominatedFields.values = response.nominatedFields.values.filter { selecting.contains($0.key) }
    }

    static func isKept(_ response: StoredResponse) -> Bool { response.nominatedFields.values.keys.contains(kept) }

    /// Sets a file of a release aside.
    static func keep(_ response: StoredResponse) -> StoredResponse {
        var response = response
        response.nominatedFields = NominatedFields(values: [kept: ""])
        return response
    }

    /// Whether it is the name of a field.
    static func isNominated(_ name: String) -> Bool { !name.hasPrefix(":") }
}

extension StoredResponse {
    /// Whether it is a file of a release, in its place or beside a newer one.
    package var isOfRelease: Bool { tags.contains(VerifiedContent.release) }
}
