/// A host that the app trusts: one name, or `*.` and the names below it.
public struct AllowedHost: Hashable, Sendable {
    private let name: String
    private let isBelow: Bool

    /// - Parameter text: `shop.test` is that name only, `*.shop.test` every name below it and not itself. In any case
    ///   of ASCII letters.
    /// - Returns: `nil` for other uses of `*`, for `*.` before a name without a dot, which would be a whole top-level
    ///   domain, and for the empty text.
    public init?(_ text: String) {
        isBelow = text.hasPrefix("*.")
        name = Self.lowercased(isBelow ? String(text.dropFirst(2)) : text)
        let labels = name.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard labels.allSatisfy({ !$0.isEmpty }), !name.utf8.contains(0x2A) else { return nil }
        guard !isBelow || labels.count > 1 else { return nil }
    }

    func matches(_ host: String) -> Bool {
        let (host, name) = (Self.lowercased(host).utf8, name.utf8)
        guard isBelow else { return host.elementsEqual(name) }
        guard host.count > name.count + 1, host.suffix(name.count).elementsEqual(name) else { return false }
        return host.dropLast(name.count).last == 0x2E
    }

    /// ASCII only: a letter of another script that has a Latin lower case is another host.
    private static func lowercased(_ text: String) -> String {
        String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
