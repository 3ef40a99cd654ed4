import CacheRules

/// A rules file that was read and not taken.
package struct UnusableRules: Error, Sendable, CustomStringConvertible {
    package var document: RulesDocument
    /// Everything that is wrong with it; never empty.
    package var problems: [RulesFileError.Problem]

    /// `1 problem`, `3 problems`; with 100 of them reading ends.
    package var count: String {
        problems.count == 1 ? "1 problem" : problems.count < 100 ? "\(problems.count) problems" : "100 problems or more"
    }

    package var description: String { problems.map { "\(document.name):\($0)" }.joined(separator: "\n") }
}
