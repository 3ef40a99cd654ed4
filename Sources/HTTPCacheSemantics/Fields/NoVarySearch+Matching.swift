extension NoVarySearch {
    /// Whether two URIs are "equivalent modulo URL variation config", §6: a response stored for one, with this value
    /// in its `No-Vary-Search`, may answer a request for the other.
    ///
    /// Takes at most n·log n steps for n octets in both queries.
    ///
    /// - Parameters:
    ///   - stored: The absolute URI of the stored response. Userinfo and fragment are ignored.
    ///   - presented: The absolute URI of the presented request.
    /// - Returns: False if either is not an absolute URI with a host.
    package func match(_ stored: String, _ presented: String) -> Bool {
        guard let stored = Parts(stored), let presented = Parts(presented), stored.base == presented.base else {
            return false
        }
        // By default even an empty query differs from an absent one.
        if self == NoVarySearch() { return stored.query == presented.query }
        return significant(stored.query) == significant(presented.query)
    }

    /// A URI in the form of cache keys, split before its query.
    private struct Parts {
        var base: String
        /// Without the question mark; `nil` if there is none.
        var query: String?

        init?(_ uri: String) {
            guard let parts = TargetURI.split(uri) else { return nil }
            let text = TargetURI.normalized(scheme: parts.scheme, authority: parts.authority, path: parts.path)
            let mark = text.utf8.firstIndex(of: 0x3F)
            base = String(text[..<(mark ?? text.endIndex)])
            query = mark.map { String(text[text.utf8.index(after: $0)...]) }
        }
    }

    /// The parameters that matter, sorted if their order does not.
    private func significant(_ query: String?) -> [FormEncoding.Parameter] {
        guard let query else { return [] }
        let all = FormEncoding.parameters(query.utf8)
        let kept =
            switch parameters {
            case .allBut(let names): all.filter { !names.contains($0.name) }
            case .only(let names): all.filter { names.contains($0.name) }
            }
        guard ignoresKeyOrder else { return kept }
        // The sort is stable: the order of values of one name matters.
        return kept.enumerated()
            .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
            .map(\.element)
    }
}
