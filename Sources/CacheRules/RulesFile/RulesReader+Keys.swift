import StrictJSON

extension RulesReader {
    mutating func keyRules(_ node: JSONValue.Node) -> [KeyRule] {
        guard case .array(let entries) = node.value else {
            wrongType(node, "a list of rules for keys")
            return []
        }
        if entries.count > Self.ruleLimit {
            report(.tooLarge, "A file may have at most \(Self.ruleLimit) rules for keys.", at: node.offset)
            return []
        }
        return entries.compactMap { keyRule($0) }
    }

    private mutating func keyRule(_ node: JSONValue.Node) -> KeyRule? {
        guard let rule = members(node, KeyRuleKey.self, "a rule for keys"),
            let member = require(.name, of: rule, "a rule for keys", at: node.offset), let name = text(member.node)
        else { return nil }
        if let problem = Rule.problem(name: name) { report(.badName, problem, at: member.node.offset) }
        claim(name, at: member.node.offset)
        let target = rule[.target].flatMap { text($0.node) }
        if let target, let problem = Rule.problem(pathPrefix: target), let member = rule[.target] {
            report(.badPattern, problem, at: member.node.offset)
        }
        let dropped = rule[.dropQuery].map { texts($0.node) } ?? []
        for (text, offset) in dropped {
            if text.utf8.count > 1_024 { report(.badPattern, "A pattern may have at most 1,024 octets.", at: offset) }
            count(GlobPattern(text, isPath: false).stateCount, at: offset)
        }
        let conditions = rule[.when].map { self.conditions($0.node) } ?? []
        if conditions.contains(where: \.looksAtResponse), let when = rule[.when] {
            report(
                .misplacedKey, "A cache key is needed before there is a response, so it can't depend on one.",
                at: when.keyOffset)
        }
        return KeyRule(
            name, flag(rule[.dropTracking]), isTooLarge ? [] : dropped.map(\.text), flag(rule[.sortQuery]), target,
            conditions)
    }

    private mutating func flag(_ member: JSONValue.Member?) -> Bool {
        guard let member else { return false }
        if case .bool(let flag) = member.node.value { return flag }
        wrongType(member.node, "true or false")
        return false
    }
}
