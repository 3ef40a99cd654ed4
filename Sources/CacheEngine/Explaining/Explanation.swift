/// How a cache would answer one request now, step by step, from what is stored. Nothing is sent, stored or counted.
package struct Explanation: Hashable, Sendable, Codable {
    /// One consideration, in the order in which they decide.
    package struct Step: Hashable, Sendable, Codable {
        /// What is considered, in a few words.
        package var title: String
        /// The section that decides, such as `RFC 9111 §4.2.1`; empty for the cache's own policy.
        package var section: String
        /// What was found, with figures in units for people.
        package var finding: String

        package init(title: String, section: String, finding: String) {
            self.title = title
            self.section = section
            self.finding = finding
        }
    }

    /// The kinds of answers.
    package enum Answer: String, Hashable, Sendable, Codable, CaseIterable {
        /// From the store, as it is.
        case stored
        /// From the store, though stale.
        case stale
        /// From the store at once, and validated in the background.
        case staleWhileRevalidating = "stale-while-revalidate"
        /// From the store if the origin confirms it, else from the origin.
        case validated
        /// From the origin, joined with the part that is stored.
        case completed
        /// From the origin.
        case forwarded
        /// An error of the cache's own.
        case failed
    }

    package var method: String
    package var uri: String
    package var answer: Answer
    /// The answer in one sentence.
    package var summary: String
    package var steps: [Step]
    /// The fields that would be sent to the origin besides the client's own, `Name: value` each.
    package var conditions: [String]
    /// What would lead to another answer, a sentence each.
    package var changes: [String]
    /// `Cache-Status` as far as it is known before the origin has answered (RFC 9211).
    package var cacheStatus: String
    /// Figures of the selected stored response, in whole seconds; `nil` when none was selected.
    package var currentAge: Int64?
    package var freshnessLifetime: Int64?
    /// Which rule of RFC 9111 §4.2.1 gave the lifetime.
    package var lifetimeSource: String?
}
