import HTTPTypes
import StrictJSON

extension RulesReader {
    /// An object of conditions, all of which must hold.
    mutating func conditions(_ node: JSONValue.Node) -> [When] {
        guard let members = members(node, ConditionKey.self, "a condition") else { return [] }
        var conditions: [When] = []
        for key in ConditionKey.allCases {
            if let member = members[key] { conditions += self.conditions(key, member.node) }
        }
        return conditions
    }

    private mutating func conditions(_ key: ConditionKey, _ node: JSONValue.Node) -> [When] {
        switch key {
        case .connectivity: return [.connectivity(names(node, Connectivity.Trait.self, "a connectivity"))]
        case .method: return [.method(methods(node))]
        case .destination:
            let known = Destination.allCases.map { ($0.description, $0) }
            let found = texts(node).compactMap { name($0.text, at: $0.offset, of: known, "a destination") }
            return [.destination(found)]
        case .host: return [.host(checked(node) { HostPattern($0).problem })]
        case .fileExtension: return [.fileExtension(checked(node, Rule.problem(fileExtension:)))]
        case .hashedName:
            if case .bool(true) = node.value { return [.hashedName()] }
            let items = texts(node)
            for (name, offset) in items {
                if let problem = Rule.problem(hashedNameItem: name) { report(.wrongType, problem, at: offset) }
            }
            return [.hashedName(queryItems: items.map(\.text))]
        case .pathPrefix: return [.pathPrefix(checked(node, Rule.problem(pathPrefix:)))]
        case .path:
            let globs = checked(node, Rule.problem(path:))
            for glob in globs where !isTooLarge {
                let patterns = GlobPattern.spelledOut(glob) ?? [glob]
                let states = patterns.reduce(patterns.count - 1) { $0 + GlobPattern($1, isPath: true).stateCount }
                count(states, at: node.offset)
            }
            return [.path(isTooLarge ? [] : globs)]
        case .query:
            return named(node) { member, values in values.map { .query(member.key, $0) } ?? .query(member.key) }
        case .requestHeader: return fields(node, When.requestHeader, When.requestHeader)
        case .freshness:
            return name(node, StatedFreshness.self, "a freshness that a response can state").map { [.freshness($0)] }
                ?? []
        case .contentType: return [.contentType(checked(node) { MediaTypePattern($0).problem })]
        case .responseHeader: return fields(node, When.responseHeader, When.responseHeader)
        case .all: return [.all(joined(node))]
        case .any: return [.any(joined(node))]
        case .not: return [.not(conditions(node))]
        }
    }

    /// A list of objects; all conditions of one object must hold.
    private mutating func joined(_ node: JSONValue.Node) -> [When] {
        guard case .array(let nodes) = node.value else {
            wrongType(node, "a list of conditions")
            return []
        }
        return nodes.map { node in
            let conditions = conditions(node)
            return conditions.count == 1 ? conditions[0] : .all(conditions)
        }
    }

    private mutating func checked(_ node: JSONValue.Node, _ problem: (String) -> String?) -> [String] {
        let found = texts(node)
        for (text, offset) in found {
            if let problem = problem(text) { report(.badPattern, problem, at: offset) }
        }
        return found.map(\.text)
    }

    private mutating func methods(_ node: JSONValue.Node) -> [HTTPRequest.Method] {
        texts(node).compactMap { text, offset in
            let method = HTTPRequest.Method(text)
            if method == nil { report(.badName, "\"\(text)\" is not a method (RFC 9110 §9.1).", at: offset) }
            return method
        }
    }

    /// Beyond the limit the file is refused and no more patterns are kept: a small file can require much memory.
    var isTooLarge: Bool { states > Self.stateLimit }

    mutating func count(_ more: Int, at offset: Int) {
        let wasTooLarge = isTooLarge
        states += more
        if isTooLarge, !wasTooLarge {
            report(
                .tooLarge,
                "With this pattern, those of the file need more than \(Self.stateLimit) states; use fewer wildcards.",
                at: offset)
        }
    }

    private mutating func fields(
        _ node: JSONValue.Node, _ present: (HTTPField.Name) -> When, _ fits: (HTTPField.Name, [String]) -> When
    ) -> [When] {
        var seen: Set<String> = []
        return named(node) { ($0, $1) }.compactMap { member, values in
            guard let name = HTTPField.Name(member.key) else {
                report(.badName, "\"\(member.key)\" is not a field name (RFC 9110 §5.1).", at: member.keyOffset)
                return nil
            }
            if !seen.insert(name.canonicalName).inserted {
                report(
                    .duplicateKey, "The field \"\(member.key)\" is repeated.", at: member.keyOffset)
            }
            return values.map { fits(name, $0) } ?? present(name)
        }
    }

    /// Members that are `true` for "is present", or patterns for the value.
    private mutating func named<Result>(
        _ node: JSONValue.Node, _ make: (JSONValue.Member, [String]?) -> Result
    ) -> [Result] {
        guard case .object(let members) = node.value else {
            wrongType(node, "an object such as { \"name\": true } or { \"name\": \"value\" }")
            return []
        }
        return members.map { member in
            switch member.node.value {
            case .bool(true): return make(member, nil)
            case .string, .array:
                let values = texts(member.node)
                for (value, offset) in values {
                    count(GlobPattern(value, isPath: false).stateCount, at: offset)
                    if value.utf8.count > 1_024 {
                        report(.badPattern, "A pattern may have at most 1,024 octets.", at: offset)
                    }
                }
                return make(member, isTooLarge ? [] : values.map(\.text))
            default:
                wrongType(member.node, "true for \"is there\", or a value or a list of values")
                return make(member, nil)
            }
        }
    }
}

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
            name, flag(rule[.dropTracking]), isTooLarge ? [] : dropped.map(\.text), flag(rule[.sortQuery]),
            flag(rule[.normalizeEscapes]), target, conditions)
    }

    private mutating func flag(_ member: JSONValue.Member?) -> Bool {
        guard let member else { return false }
        if case .bool(let flag) = member.node.value { return flag }
        wrongType(member.node, "true or false")
        return false
    }
}
