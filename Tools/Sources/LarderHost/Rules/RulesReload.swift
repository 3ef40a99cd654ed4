import CacheRules

/// What reading a rules file again has come to.
public enum RulesReload: Sendable {
    /// They count for the exchanges that begin from now on.
    case taken(RuleList)
    /// There was something wrong, and the rules from before stay in force: ``HostError`` where the file can't be read,
    /// ``UnusableRules`` where it holds no rules.
    case refused(any Error)
}

extension LocalProxy {
    /// Reads the rules again and puts them in force, all of them or none.
    public func readRules(from source: RulesSource) -> RulesReload {
        do {
            let rules = try source.rules()
            self.rules = rules
            return .taken(rules)
        } catch {
            return .refused(error)
        }
    }
}
