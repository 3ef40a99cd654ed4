import HTTPCacheSemantics

/// Fetches a preload page, which is no page that the user sees.
extension PreloadQueue {
    /// Asks for a preload page, or for whether the stored one still holds.
    ///
    /// - Parameter url: Absolute, https; http on loopback only.
    /// - Returns: What it lists, to be given to ``add(_:set:)``.
    package func items(
        ofPage url: String, group: PreloadGroup = .page
    ) async throws(PreloadPageError) -> [PreloadItem] {
        guard TrustworthyOrigin.isPotentiallyTrustworthy(origin: url) else {
            throw PreloadPageError(.unavailable, "A preload page is read over https only; http is for loopback.")
        }
        let fetch = ManifestFetch(cache: cache, configuration: configuration, types: "text/html, */*;q=0.1")
        let answer: ManifestFetch.Answer
        do throws(ManifestUpdateError) {
            answer = try await fetch.get(
                url, limit: Int(clamping: PreloadPage.longest.bytes), mode: .revalidate, what: "preload page")
        } catch {
            throw PreloadPageError(.unavailable, error.message, cause: error)
        }
        return try PreloadPage.read(answer.content, url: url, fields: answer.fields, group: group)
    }
}
