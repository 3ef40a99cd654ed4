import ResponseStore

/// The tag of a stored response whose content, decoded, had this SHA-256. It stays when the response is freshened,
/// because that leaves the content as it is.
package enum VerifiedContent {
    private static let prefix = "content-sha256:"

    package static func tag(_ digest: BodyDigest) -> String { prefix + digest.description }

    static func isTag(_ name: String) -> Bool { name.hasPrefix(prefix) }
}
