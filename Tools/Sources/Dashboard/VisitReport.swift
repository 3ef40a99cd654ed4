/// A series of visits of one page, with and without Larder.
public struct VisitReport: Hashable, Sendable, Codable {
    /// What was visited, for the heading.
    public var title: String
    /// The page's address.
    public var url: String
    /// The conditions of the run, one sentence each: engine and version, delay and bandwidth, machine.
    public var conditions: [String]
    /// What held and what did not: checks of the whole series.
    public var checks: [Check]
    /// In the order in which they happened, each visit with Larder beside its control.
    public var visits: [VisitRecord]

    public init(title: String, url: String, conditions: [String], checks: [Check], visits: [VisitRecord]) {
        self.title = title
        self.url = url
        self.conditions = conditions
        self.checks = checks
        self.visits = visits
    }

    /// One statement that the run proved or refuted.
    public struct Check: Hashable, Sendable, Codable {
        public var statement: String
        public var holds: Bool
        /// The figures behind it.
        public var evidence: String

        public init(statement: String, holds: Bool, evidence: String) {
            self.statement = statement
            self.holds = holds
            self.evidence = evidence
        }
    }
}
