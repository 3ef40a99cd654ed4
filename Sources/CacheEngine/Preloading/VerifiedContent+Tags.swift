import HTTPCacheSemantics

extension VerifiedContent {
    /// Whether the content of a stored response was verified, whatever it was.
    package static func isTagged(_ response: StoredResponse) -> Bool { response.tags.contains(where: isTag) }
}
