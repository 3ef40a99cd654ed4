import StrictJSON

/// Reads a rules file, and continues after a semantic error, so that it reports all of them.
struct RulesReader {
    static let sizeLimit = 1 << 20
    static let ruleLimit = 1_000
    static let problemLimit = 100
    /// The most states of all patterns together: the time for the worst URL grows with them.
    static let stateLimit = 10_000

    private let bytes: [UInt8]
    private var problems: [(offset: Int, code: RulesFileError.Code, message: String)] = []
    private var names: [String: Int] = [:]
    /// The names of the rules that entries have included so far.
    private var includedNames: Set<String> = []
    private var includedKeyRules: [KeyRule] = []
    /// The offsets at which the second and later lines begin.
    private let lineStarts: [Int]
    var states = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        lineStarts = bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    }

    static func read(_ bytes: [UInt8]) throws(RulesFileError) -> RuleList {
        var reader = RulesReader(bytes.count > sizeLimit ? [] : bytes)
        if bytes.count > sizeLimit {
            reader.report(.tooLarge, "The file has \(bytes.count) octets; at most \(sizeLimit) are allowed.", at: 0)
        } else if let root = reader.root() {
            let list = reader.list(root)
            if reader.problems.isEmpty { return list }
        }
        let first = reader.problems.sorted { $0.offset < $1.offset }.prefix(problemLimit)
        throw RulesFileError(problems: first.map { reader.placed($0.code, $0.message, at: $0.offset) })
    }

    mutating func report(_ code: RulesFileError.Code, _ message: String, at offset: Int) {
        // A file full of errors must not take unbounded memory; the first ones are enough.
        guard problems.count < 10 * Self.problemLimit else { return }
        problems.append((offset, code, message))
    }

    private func placed(_ code: RulesFileError.Code, _ message: String, at offset: Int) -> RulesFileError.Problem {
        let line = line(at: offset)
        let start = line > 1 ? lineStarts[line - 2] : 0
        return RulesFileError.Problem(
            code: code, message: message, line: line,
            column: bytes[start..<min(offset, bytes.count)].count { $0 & 0xC0 != 0x80 } + 1)
    }

    /// A binary search: each of many rules may name the line of another one.
    private func line(at offset: Int) -> Int {
        var (low, high) = (0, lineStarts.count)
        while low < high {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low + 1
    }

    private mutating func root() -> JSONValue.Node? {
        var reader = JSONReader(bytes)
        do throws(JSONReader.Failure) {
            let root = try reader.read()
            for member in reader.duplicates {
                report(
                    .duplicateKey, "The key \"\(member.key)\" is repeated; keep one of them.",
                    at: member.keyOffset)
            }
            return root
        } catch {
            report(.init(error.code), error.message, at: error.offset)
            return nil
        }
    }

    private mutating func list(_ root: JSONValue.Node) -> RuleList {
        guard let file = members(root, FileKey.self, "a rules file") else { return .protocolOnly }
        if let schema = file[.schema] { _ = text(schema.node) }
        var list = RuleList([])
        if let rules = require(.rules, of: file, "a rules file", at: root.offset) {
            list.rules = self.rules(rules.node)
        }
        list.keyRules = (file[.keys].map { keyRules($0.node) } ?? []) + includedKeyRules
        return list
    }

    private mutating func rules(_ list: JSONValue.Node) -> [any CacheRule] {
        guard case .array(let entries) = list.value else {
            wrongType(list, "a list of rules")
            return []
        }
        var rules: [any CacheRule] = []
        for entry in entries {
            if case .object(let members) = entry.value,
                members.contains(where: { $0.key == IncludeKey.include.rawValue })
            {
                rules += included(entry)
            } else if let rule = rule(entry) {
                rules.append(rule)
            }
        }
        if rules.count > Self.ruleLimit {
            report(.tooLarge, "A file may have at most \(Self.ruleLimit) rules; join some by lists.", at: list.offset)
        }
        return rules
    }

    private mutating func included(_ entry: JSONValue.Node) -> [any CacheRule] {
        guard let entry = members(entry, IncludeKey.self, "an entry with \"include\""), let include = entry[.include],
            let name = name(include.node, IncludeName.self, "a set of rules")
        else { return [] }
        var rules = name.list.rules
        let known = rules.map(\.name) + name.list.keyRules.map(\.name)
        let without = entry[.without].map { texts($0.node) } ?? []
        for (name, offset) in without where !known.contains(name) {
            report(.unknownName, "No rule \"\(name)\" is included" + suggestion(name, known), at: offset)
        }
        // Rules that an earlier entry has included count at that place.
        let left = includedNames.union(without.map(\.text))
        rules.removeAll { left.contains($0.name) }
        let keyRules = name.list.keyRules.filter { !left.contains($0.name) }
        includedKeyRules += keyRules
        for name in rules.map(\.name) + keyRules.map(\.name) {
            includedNames.insert(name)
            claim(name, at: include.node.offset)
        }
        return rules
    }

    mutating func claim(_ name: String, at offset: Int) {
        if let first = names[name] {
            report(
                .duplicateName,
                "There is already a rule \"\(name)\", in line \(line(at: first)); choose another name, or leave an "
                    + "included one out by \"without\".",
                at: offset)
        } else {
            names[name] = offset
        }
    }

    private mutating func rule(_ node: JSONValue.Node) -> Rule? {
        guard let rule = members(node, RuleKey.self, "a rule") else { return nil }
        let name = require(.name, of: rule, "a rule", at: node.offset).flatMap { text($0.node) }
        if let name, let member = rule[.name] {
            if let problem = Rule.problem(name: name) { report(.badName, problem, at: member.node.offset) }
            claim(name, at: member.node.offset)
        }
        let verdict = verdict(rule, at: node.offset)
        let restrictions =
            rule[.ignoring].map { names($0.node, OverridableDirective.self, "what a rule can pass over") } ?? []
        let expiry = rule[.expiry].flatMap { duration($0.node) }
        let validation = rule[.validateWith].flatMap { self.name($0.node, ValidationMethod.self, "a way to validate") }
        var tags: [String] = []
        for (tag, offset) in rule[.tags].map({ texts($0.node) }) ?? [] {
            if let problem = Rule.problem(tag: tag) { report(.badName, problem, at: offset) }
            tags.append(tag)
        }
        let note = rule[.note].flatMap { text($0.node) }
        let conditions = rule[.when].map { self.conditions($0.node) } ?? []
        guard let name, let verdict else { return nil }
        return Rule(
            name: name, verdict: verdict, ignoring: Set(restrictions), expiry: expiry,
            validation: validation ?? .get, tags: tags, note: note, conditions: conditions)
    }

    private mutating func verdict(_ rule: [RuleKey: JSONValue.Member], at offset: Int) -> Verdict? {
        guard let member = require(.verdict, of: rule, "a rule", at: offset),
            let name = name(member.node, VerdictName.self, "a verdict")
        else { return nil }
        for key in [RuleKey.for, .timeout, .caches] where !name.details.contains(key) {
            guard let detail = rule[key] else { continue }
            report(
                .misplacedKey, "\"\(key.rawValue)\" has no effect under the verdict \"\(name.rawValue)\".",
                at: detail.keyOffset)
        }
        if name.needsDetail, rule[.for] == nil {
            report(
                .missingKey, "\"\(name.rawValue)\" needs \"for\": how long, as in \"for\": \"7d\".",
                at: member.node.offset)
            return nil
        }
        let window = name.details.contains(.for) ? rule[.for].flatMap { duration($0.node) } : nil
        let timeout = name.details.contains(.timeout) ? rule[.timeout].flatMap { duration($0.node) } : nil
        let reach = rule[.caches].flatMap { self.name($0.node, Verdict.Reach.self, "what a reload reaches") }
        return switch name {
        case .neverStore: .neverStore
        case .reload: .reload(reach ?? .local)
        case .revalidate: .revalidate
        case .fresh: window.map { .fresh(for: $0) }
        case .permanent: .permanent
        case .cacheFirst, .workboxCacheFirst: .cacheFirst
        case .networkFirst, .workboxNetworkFirst: .networkFirst(timeout: timeout)
        case .staleWhileRevalidate, .workboxStaleWhileRevalidate: .staleWhileRevalidate(for: window)
        case .snapshot: .snapshot
        case .staleIfError: window.map { .staleIfError(for: $0) }
        case .onlyIfStored, .workboxCacheOnly: .onlyIfStored
        case .bypass, .workboxNetworkOnly: .bypass
        case .storeOnlyIfExplicit: .storeOnlyIfExplicit
        case .followProtocol: .followProtocol
        }
    }
}

extension RulesFileError.Code {
    fileprivate init(_ code: JSONReader.Failure.Code) {
        self =
            switch code {
            case .tooLarge, .tooManyValues: .tooLarge
            case .notUnicode: .notUnicode
            case .syntax: .syntax
            case .tooDeep: .tooDeep
            case .duplicateKey: .duplicateKey
            }
    }
}
