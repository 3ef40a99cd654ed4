extension FetchRequest {
    /// The URL of the top-level document that the request is for: its own if it is that document. `nil` if unknown.
    public var topLevelDocument: String? { isTopLevelNavigation ? url : topLevelURL }

    /// The site of ``topLevelDocument``.
    package func topLevelSite(_ registrableDomain: Site.RegistrableDomain?) -> Site? {
        topLevelDocument.map { Site(WebOrigin(url: $0), registrableDomain: registrableDomain) }
    }

    /// The site under which a cache keeps the response apart (Fetch, "determine the HTTP cache partition").
    ///
    /// What counts is the top-level document, not the frame that asks: a frame of `ads.test` in a page of `shop.test`
    /// finds what other resources of `shop.test` pages stored, and nothing of any other site. Documents without an
    /// origin, such as `data:` and `about:blank`, have one site for all of them, `null`.
    ///
    /// - Returns: The site of the top-level document for a URL of another site; empty for its own site, for the
    ///   document itself, and where it is unknown.
    public func cacheSite(registrableDomain: Site.RegistrableDomain? = nil) -> String {
        guard !isTopLevelNavigation, let site = topLevelSite(registrableDomain),
            !site.isSameSite(as: Site(targetOrigin, registrableDomain: registrableDomain))
        else { return "" }
        return site.description
    }
}
