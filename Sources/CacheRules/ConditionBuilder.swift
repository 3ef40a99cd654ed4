/// Writes the conditions of a ``Rule`` one per line, with `if` and `for`; all of them must hold.
@resultBuilder
public enum ConditionBuilder {
    public static func buildExpression(_ condition: When) -> [When] { [condition] }
    public static func buildBlock(_ parts: [When]...) -> [When] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [When]?) -> [When] { part ?? [] }
    public static func buildEither(first: [When]) -> [When] { first }
    public static func buildEither(second: [When]) -> [When] { second }
    public static func buildArray(_ parts: [[When]]) -> [When] { parts.flatMap { $0 } }
    public static func buildLimitedAvailability(_ part: [When]) -> [When] { part }
}
