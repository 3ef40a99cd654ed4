import CacheRules
import ResponseStore

/// The result of reading a rules file again.
package enum RulesReload: Sendable {
    /// They count for the exchanges that begin from now on.
    case taken(RuleList)
    /// There was something wrong, and the rules from before stay in force: ``HostError`` where the file can't be read,
    /// ``UnusableRules`` where it holds no rules.
    case refused(any Error)
}

extension LocalProxy {
    /// Reads the rules again and puts them in force, all of them or none.
    ///
    /// - Parameter whenPurged: Called once with what was removed because the new rules say that it is never stored; not
    ///   where the rules are refused, or are replaced before that is over.
    package func readRules(
        from source: RulesSource, whenPurged: @escaping @Sendable (RemovedContent) -> Void
    ) -> RulesReload {
        do {
            let rules = try source.rules()
            putInForce(rules, whenPurged: whenPurged)
            return .taken(rules)
        } catch {
            return .refused(error)
        }
    }
}
