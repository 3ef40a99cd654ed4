import CacheRules

/// A text to keep, so that what was learned is known at the next start.
extension ViewFields {
    /// More is not read, in octets.
    package static let longestText = 32_768
    private static let longestValue = 4_096
    private static let firstLine = "larder-view-fields 1"

    /// A line each for the version and each field. Values are those that a page's requests had; one that is longer than
    /// 4 KiB or not ASCII is left out.
    package var text: String {
        var lines = [Self.firstLine]
        if let userAgent, Self.isFieldValue(userAgent) { lines.append("user-agent " + userAgent) }
        if let acceptLanguage, Self.isFieldValue(acceptLanguage) { lines.append("accept-language " + acceptLanguage) }
        if Self.isFieldValue(acceptEncoding) { lines.append("accept-encoding " + acceptEncoding) }
        lines.append("fetch-metadata " + (sendsFetchMetadata ? "yes" : "no"))
        for (destination, types) in accept.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where Self.fixed.contains(destination) && Self.isFieldValue(types) {
            lines.append("accept \(destination.rawValue) \(types)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// - Returns: `nil` for a text that ``text`` did not print, and where a value is none that a field may have.
    package init?(text: String) {
        guard text.utf8.count <= Self.longestText else { return nil }
        var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
        guard lines.first == Self.firstLine, lines.popLast() == "" else { return nil }
        self.init()
        var known: Set<String> = []
        for line in lines.dropFirst() {
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard words.count == 2, read(words[0], words[1], &known) else { return nil }
        }
        guard known.contains("fetch-metadata") else { return nil }
    }

    private mutating func read(_ name: String, _ value: String, _ known: inout Set<String>) -> Bool {
        guard Self.isFieldValue(value) else { return false }
        if name == "accept" {
            let words = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard words.count == 2, let destination = Destination(rawValue: words[0]), Self.isFieldValue(words[1]),
                Self.fixed.contains(destination)
            else { return false }
            return accept.updateValue(words[1], forKey: destination) == nil
        }
        guard known.insert(name).inserted else { return false }
        switch name {
        case "user-agent": userAgent = value
        case "accept-language": acceptLanguage = value
        case "accept-encoding": acceptEncoding = value
        case "fetch-metadata" where value == "yes" || value == "no": sendsFetchMetadata = value == "yes"
        default: return false
        }
        return true
    }

    /// RFC 9110 §5.5, without octets beyond ASCII.
    private static func isFieldValue(_ text: String) -> Bool {
        (1...longestValue).contains(text.utf8.count) && text.utf8.first != 0x20 && text.utf8.last != 0x20
            && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
