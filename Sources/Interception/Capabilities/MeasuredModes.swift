/// What the self-test has found of the modes of web views: one that does not work here is not used.
package struct MeasuredModes<Mode: Hashable & Sendable>: Sendable {
    private var faults: [Mode: String] = [:]

    package init() {}

    /// A mode was measured. The last time counts.
    package mutating func note(_ report: CapabilityReport, of mode: Mode) { faults[mode] = report.fault }

    /// The page of the self-test could not be loaded in a mode.
    ///
    /// - Parameter why: In a sentence.
    package mutating func note(failure why: String, of mode: Mode) { faults[mode] = why }

    /// Why a mode is not to be used, in a sentence; `nil` for one that works, and for one that was not measured.
    package func fault(of mode: Mode) -> String? { faults[mode] }
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
