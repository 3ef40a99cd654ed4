import CacheRules

/// One problem of a rules file in JSON.
struct RulesProblemLine: Encodable {
    /// The place, where the file has it; counted from one.
    var line: Int?
    var column: Int?
    var message: String

    init(_ problem: RulesFileError.Problem) {
        (line, column, message) = (problem.line, problem.column, problem.message)
    }
}

extension RuleList {
    /// `1 rule`, `3 rules, 2 key rules`.
    var sizeInWords: String {
        func count(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
        return count(rules.count, "rule") + (keyRules.isEmpty ? "" : ", " + count(keyRules.count, "key rule"))
    }
}
