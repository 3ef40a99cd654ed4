import StrictJSON

/// Turns rules into the JSON values of a rules file.
struct RulesWriter {
    private(set) var problems: [RulesFileError.Problem] = []

    /// A condition as in a file, on one line.
    static func text(_ condition: When) -> String { JSONPrinter.line(RulesWriter().object([condition])) }

    private mutating func report(_ code: RulesFileError.Code, _ message: String) {
        if problems.count < RulesReader.problemLimit { problems.append(.init(code: code, message: message)) }
    }

    mutating func file(_ list: RuleList) -> JSONValue {
        var names: Set<String> = []
        var entries: [JSONValue.Node] = []
        for rule in list.rules {
            if !names.insert(rule.name).inserted {
                report(.duplicateName, "There are two rules \"\(rule.name)\"; rename one.")
            }
            if let rule = rule as? Rule {
                entries.append(.init(value: object(rule)))
            } else {
                report(
                    .notWritable,
                    "The rule \"\(rule.name)\" is of the type \(type(of: rule)), which only this program knows; "
                        + "write it as a Rule, or leave it out.")
            }
        }
        var members = [JSONValue.Member(key: FileKey.rules.rawValue, node: .init(value: .array(entries)))]
        if !list.keyRules.isEmpty {
            for rule in list.keyRules where !names.insert(rule.name).inserted {
                report(.duplicateName, "There are two rules \"\(rule.name)\"; rename one.")
            }
            let keys = list.keyRules.map { JSONValue.Node(value: object($0)) }
            members.append(.init(key: FileKey.keys.rawValue, node: .init(value: .array(keys))))
        }
        return .object(members)
    }

    private mutating func object(_ rule: KeyRule) -> JSONValue {
        if let problem = Rule.problem(name: rule.name) { report(.badName, "\"\(rule.name)\": \(problem)") }
        if let problem = rule.target.flatMap({ Rule.problem(pathPrefix: $0) }) {
            report(.badPattern, "\(rule.name): \(problem)")
        }
        for problem in rule.conditions.compactMap(\.problem) { report(.badPattern, "\(rule.name): \(problem)") }
        if rule.conditions.contains(where: \.looksAtResponse) {
            report(.misplacedKey, "\(rule.name): a key can't depend on a response.")
        }
        var members: [JSONValue.Member] = []
        func add(_ key: KeyRuleKey, _ value: JSONValue) {
            members.append(.init(key: key.rawValue, node: .init(value: value)))
        }
        add(.name, .string(rule.name))
        if rule.dropsTracking { add(.dropTracking, .bool(true)) }
        if !rule.dropped.isEmpty { add(.dropQuery, .texts(rule.dropped)) }
        if rule.sortsQuery { add(.sortQuery, .bool(true)) }
        if rule.normalizesEscapes { add(.normalizeEscapes, .bool(true)) }
        if let target = rule.target { add(.target, .string(target)) }
        if !rule.conditions.isEmpty { add(.when, object(rule.conditions)) }
        return .object(members)
    }

    private mutating func object(_ rule: Rule) -> JSONValue {
        if let problem = Rule.problem(name: rule.name) { report(.badName, "\"\(rule.name)\": \(problem)") }
        for problem in rule.tags.compactMap({ Rule.problem(tag: $0) }) { report(.badName, "\(rule.name): \(problem)") }
        for problem in rule.conditions.compactMap(\.problem) { report(.badPattern, "\(rule.name): \(problem)") }
        var members: [JSONValue.Member] = []
        func add(_ key: RuleKey, _ value: JSONValue?) {
            if let value { members.append(.init(key: key.rawValue, node: .init(value: value))) }
        }
        add(.name, .string(rule.name))
        add(.note, rule.note.map { .string($0) })
        add(.verdict, .string(rule.verdict.fileName.rawValue))
        switch rule.verdict {
        case .fresh(let window), .staleWhileRevalidate(let window?), .staleIfError(let window):
            add(.for, duration(window, rule))
        case .networkFirst(let timeout?): add(.timeout, duration(timeout, rule))
        case .reload(let reach): if reach != .local { add(.caches, .string(reach.rawValue)) }
        default: break
        }
        if !rule.ignoring.isEmpty { add(.ignoring, .texts(rule.ignoring.sorted().map(\.rawValue))) }
        add(.expiry, rule.expiry.flatMap { duration($0, rule) })
        if rule.validation != .get { add(.validateWith, .string(rule.validation.rawValue)) }
        if !rule.tags.isEmpty { add(.tags, .texts(rule.tags)) }
        if !rule.conditions.isEmpty { add(.when, object(rule.conditions)) }
        return .object(members)
    }

    private mutating func duration(_ duration: Duration, _ rule: Rule) -> JSONValue? {
        if let text = DurationText.print(duration) { return .string(text) }
        report(
            .badDuration,
            "\(rule.name): \(duration) can't be written; durations are whole milliseconds from 0 to 2147483648 s.")
        return nil
    }

    /// Conditions of which no two need the same key.
    private func object(_ conditions: [When]) -> JSONValue {
        var members: [JSONValue.Member] = []
        for condition in conditions {
            let value = value(condition)
            // Several query items, or several fields, share an object.
            if let last = members.last, last.key == condition.key.rawValue, case .object(let former) = last.node.value,
                case .object(let more) = value
            {
                members[members.count - 1].node.value = .object(former + more)
            } else {
                members.append(.init(key: condition.key.rawValue, node: .init(value: value)))
            }
        }
        return .object(members)
    }

    private func value(_ condition: When) -> JSONValue {
        switch condition.kind {
        case .connectivity(let traits): .texts(traits.map(\.rawValue))
        case .method(let methods): .texts(methods.map(\.rawValue))
        case .destination(let destinations): .texts(destinations.map(\.description))
        case .host(let patterns): .texts(patterns.map(\.text))
        case .fileExtension(let names): .texts(names.map { String(decoding: $0, as: UTF8.self) })
        case .hashedName(let items): items.isEmpty ? .bool(true) : .texts(items)
        case .pathPrefix(let prefixes): .texts(prefixes.map { String(decoding: $0, as: UTF8.self) })
        case .path(let globs): .texts(globs.map(\.text))
        case .query(let pattern): item(String(decoding: pattern.name, as: UTF8.self), pattern.values)
        case .requestHeader(let name, let values), .responseHeader(let name, let values): item(name.rawName, values)
        case .freshness(let stated): .string(stated.rawValue)
        case .contentType(let types): .texts(types.map(\.text))
        case .all(let inner): .array(inner.map { .init(value: joined($0)) })
        case .any(let inner): .array(inner.map { .init(value: joined($0)) })
        case .not(let inner): object(inner)
        }
    }

    private func item(_ name: String, _ values: [GlobPattern]?) -> JSONValue {
        .object([.init(key: name, node: .init(value: values.map { .texts($0.map(\.text)) } ?? .bool(true)))])
    }

    /// One of several alternatives: an object whose conditions must all hold.
    private func joined(_ condition: When) -> JSONValue {
        if case .all(let inner) = condition.kind, inner.count != 1, When.areDistinct(inner) { return object(inner) }
        return object([condition])
    }
}
