import CacheRules
import ResponseStore

extension LocalProxy {
    /// Reads the rules again and puts them in force for the exchanges that begin from now on, all of them or none.
    ///
    /// - Parameter whenPurged: Called once with what was removed because the new rules say that it is never stored; not
    ///   where the rules are refused, or are replaced before that is over.
    /// - Returns: The rules; or what is wrong, and those from before stay in force: ``HostError`` where the file can't
    ///   be read, ``UnusableRules`` where it holds no rules.
    package func readRules(
        from source: RulesSource, whenPurged: @escaping @Sendable (RemovedContent) -> Void
    ) -> Result<RuleList, any Error> {
        do {
            let rules = try source.rules()
            putInForce(rules, whenPurged: whenPurged)
            return .success(rules)
        } catch {
            return .failure(error)
        }
    }
}
