/// A pattern for paths as rules files have it, such as `/item/*`, for others than rules.
package struct PathGlob: Sendable {
    private let pattern: GlobPattern

    /// - Returns: `nil` for what no rules file takes.
    package init?(_ text: String) {
        let pattern = GlobPattern(text, isPath: true)
        guard pattern.pathProblem == nil else { return nil }
        self.pattern = pattern
    }

    /// The time for a path grows by it; 0 if two comparisons suffice.
    package var stateCount: Int { pattern.stateCount }

    /// - Parameter path: Without its query.
    package func fits(_ path: String) -> Bool {
        var path = path
        return path.withUTF8 { pattern.fits($0) }
    }
}
