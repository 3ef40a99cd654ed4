/// Writes a ``RuleList`` as a list: rules, whole lists, `if` and `for`.
@resultBuilder
public enum RuleBuilder {
    public static func buildExpression(_ rule: some CacheRule) -> [any CacheRule] { [rule] }
    public static func buildExpression(_ list: RuleList) -> [any CacheRule] { list.rules }
    public static func buildBlock(_ parts: [any CacheRule]...) -> [any CacheRule] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [any CacheRule]?) -> [any CacheRule] { part ?? [] }
    public static func buildEither(first: [any CacheRule]) -> [any CacheRule] { first }
    public static func buildEither(second: [any CacheRule]) -> [any CacheRule] { second }
    public static func buildArray(_ parts: [[any CacheRule]]) -> [any CacheRule] { parts.flatMap { $0 } }
    public static func buildLimitedAvailability(_ part: [any CacheRule]) -> [any CacheRule] { part }
}
