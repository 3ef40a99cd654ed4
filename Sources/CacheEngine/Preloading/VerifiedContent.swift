import HTTPCacheSemantics
import ResponseStore

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
