#if Proxy
/// A host name, or `*.` and the names below it.
public struct HostPattern: Hashable, Sendable {
    /// In lower case.
    public var text: String

    /// - Parameter text: `shop.test` matches that name only; `*.shop.test` every name below it, not itself; `*` all.
    public init(_ text: String) {
        self.text = text.lowercased()
    }

    public func matches(_ host: String) -> Bool {
        let host = host.lowercased()
        if text == "*" || text == host { return true }
        return text.hasPrefix("*.") && host.hasSuffix(text.dropFirst()) && host.count > text.count - 1
    }
}
#endif
