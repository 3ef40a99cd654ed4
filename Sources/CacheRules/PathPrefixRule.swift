/// A verdict for every request whose path starts with one of the given prefixes.
public struct PathPrefixRule: CacheRule {
    public let name: String
    /// Prefixes that start with `/`, compared octet by octet; `/api/` matches `/api/x`, not `/apiary`.
    public var prefixes: [String]
    public var verdict: Verdict

    public init(name: String, prefixes: [String], verdict: Verdict) {
        self.name = name
        self.prefixes = prefixes
        self.verdict = verdict
    }

    public func verdict(for exchange: Exchange) -> Verdict? {
        guard let path = exchange.request.path else { return nil }
        return prefixes.contains { path.utf8.starts(with: $0.utf8) } ? verdict : nil
    }
}
