/// A part of all installations: `5`, `5%`, `0.25%`.
package struct RolloutShare: Hashable, Sendable, CustomStringConvertible {
    /// 0 to 10,000.
    package var permyriad: Int

    package init(permyriad: Int) { self.permyriad = permyriad }

    /// `5%`, `0.25%`
    package var description: String {
        let (whole, rest) = (permyriad / 100, permyriad % 100)
        if rest == 0 { return "\(whole)%" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)%" : "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
    }

    /// - Parameter text: Percent, with at most two digits behind the dot.
    package init?(_ text: String) {
        let number = text.utf8.last == 0x25 ? text.dropLast() : text[...]
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        let isWritten = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        guard (1...2).contains(parts.count), isWritten, parts[0].utf8.count <= 3, let whole = Int(parts[0]) else {
            return nil
        }
        let fraction = parts.count == 2 ? parts[1] : "0"
        guard fraction.utf8.count <= 2, let digits = Int(fraction) else { return nil }
        permyriad = whole * 100 + (fraction.utf8.count == 1 ? digits * 10 : digits)
        if permyriad > 10_000 { return nil }
    }
}
