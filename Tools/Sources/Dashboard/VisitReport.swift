/// A series of visits of one page, with and without Larder.
package struct VisitReport: Hashable, Sendable, Codable {
    /// The page's description, for the heading.
    package var title: String
    /// The page's address.
    package var url: String
    /// The conditions of the run, one sentence each: engine and version, delay and bandwidth, machine.
    package var conditions: [String]
    /// The checks of the whole series, those that held and those that did not.
    package var checks: [Check]
    /// In the order in which they happened, each visit with Larder beside its control.
    package var visits: [VisitRecord]

    package init(title: String, url: String, conditions: [String], checks: [Check], visits: [VisitRecord]) {
        self.title = title
        self.url = url
        self.conditions = conditions
        self.checks = checks
        self.visits = visits
    }

    /// One statement that the run proved or refuted.
    package struct Check: Hashable, Sendable, Codable {
        package var statement: String
        package var holds: Bool
        /// The figures behind it.
        package var evidence: String

        package init(statement: String, holds: Bool, evidence: String) {
            self.statement = statement
            self.holds = holds
            self.evidence = evidence
        }
    }
}
