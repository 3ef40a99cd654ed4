/// The loads that a web view's mode carries here, measured by ``CapabilityTransport``'s page.
public struct CapabilityReport: Hashable, Sendable, Codable {
    /// A kind of load or of storage.
    public struct Result: Hashable, Sendable, Codable {
        /// Such as `script` or `upload of a File`; the names are those of the page.
        public var kind: String
        /// Whether the load worked.
        public var works: Bool
        /// The observation instead, in a few words; empty where it works.
        public var detail: String

        package init(kind: String, works: Bool, detail: String) {
            self.kind = kind
            self.works = works
            self.detail = detail
        }
    }

    /// The result of each kind of load.
    public var results: [Result]

    /// The kinds that do not work.
    public var missing: [String] { results.filter { !$0.works }.map(\.kind) }

    /// Reads what ``CapabilityTransport/script`` gives: lines of a kind and what was seen, separated by a tab.
    ///
    /// - Returns: `nil` for what is no such text: of other lines than the page writes, or without any.
    public init?(_ text: String) {
        let lines = text.split(separator: "\n").prefix(Self.greatestCount + 1)
        guard !lines.isEmpty, lines.count <= Self.greatestCount else { return nil }
        results = []
        for line in lines {
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { return nil }
            let works = parts[1] == "works"
            results.append(
                Result(
                    kind: String(parts[0].prefix(60)), works: works, detail: works ? "" : String(parts[1].prefix(200))))
        }
    }

    private static let greatestCount = 100
}

extension CapabilityReport {
    /// Kinds without which no page is what it should be.
    static let needed = ["script", "style sheet", "image", "fetch"]

    /// Why web views are better off without the mode that was measured; `nil` if it carries what every page needs.
    public var fault: String? {
        let works = Set(results.filter(\.works).map(\.kind))
        let missing = Self.needed.filter { !works.contains($0) }
        guard !missing.isEmpty else { return nil }
        return "The self-test found that this mode does not carry \(missing.joined(separator: ", ")) here."
    }
}
