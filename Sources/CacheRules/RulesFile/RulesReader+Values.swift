import StrictJSON

extension RulesReader {
    mutating func wrongType(_ node: JSONValue.Node, _ wanted: String) {
        report(.wrongType, "Expected \(wanted), not \(node.value.kind).", at: node.offset)
    }

    /// The members of an object by their keys; unknown keys are reported.
    mutating func members<Key>(
        _ node: JSONValue.Node, _ keys: Key.Type, _ place: String
    ) -> [Key: JSONValue.Member]? where Key: Hashable & RawRepresentable<String> & CaseIterable {
        guard case .object(let members) = node.value else {
            wrongType(node, place)
            return nil
        }
        var known: [Key: JSONValue.Member] = [:]
        for member in members {
            if let key = Key(rawValue: member.key) ?? FormerSpelling.current(member.key).flatMap({ Key(rawValue: $0) })
            {
                if known[key] != nil {
                    report(
                        .duplicateKey, "\"\(member.key)\" and \"\(key.rawValue)\" are the same key; leave one out.",
                        at: member.keyOffset)
                }
                known[key] = member
            } else {
                report(
                    .unknownKey,
                    "There is no key \"\(member.key)\" in \(place)"
                        + suggestion(member.key, Key.allCases.map(\.rawValue)),
                    at: member.keyOffset)
            }
        }
        return known
    }

    mutating func require<Key: Hashable & RawRepresentable<String>>(
        _ key: Key, of members: [Key: JSONValue.Member], _ place: String, at offset: Int
    ) -> JSONValue.Member? {
        if members[key] == nil { report(.missingKey, "\"\(key.rawValue)\" is missing in \(place).", at: offset) }
        return members[key]
    }

    func suggestion(_ name: String, _ known: [String]) -> String {
        if let nearest = NearestName.of(name, among: known) { return "; did you mean \"\(nearest)\"?" }
        return "; there are " + known.map { "\"\($0)\"" }.joined(separator: ", ") + "."
    }

    mutating func text(_ node: JSONValue.Node) -> String? {
        if case .string(let text) = node.value { return text }
        wrongType(node, "a text")
        return nil
    }

    /// A string, or a list of strings.
    mutating func texts(_ node: JSONValue.Node) -> [(text: String, offset: Int)] {
        let nodes: [JSONValue.Node]
        switch node.value {
        case .string: nodes = [node]
        case .array(let elements): nodes = elements
        default:
            wrongType(node, "a text or a list of texts")
            return []
        }
        return nodes.compactMap { node in text(node).map { ($0, node.offset) } }
    }

    mutating func name<Name: RawRepresentable<String> & CaseIterable>(
        _ node: JSONValue.Node, _ names: Name.Type, _ what: String
    ) -> Name? {
        guard let text = text(node) else { return nil }
        return name(text, at: node.offset, of: Name.allCases.map { ($0.rawValue, $0) }, what)
    }

    mutating func names<Name: RawRepresentable<String> & CaseIterable>(
        _ node: JSONValue.Node, _ names: Name.Type, _ what: String
    ) -> [Name] {
        texts(node).compactMap { text, offset in
            name(text, at: offset, of: Name.allCases.map { ($0.rawValue, $0) }, what)
        }
    }

    mutating func name<Value>(_ text: String, at offset: Int, of known: [(String, Value)], _ what: String) -> Value? {
        if let value = known.first(where: { $0.0 == text })?.1 { return value }
        report(.unknownName, "\"\(text)\" is not \(what)" + suggestion(text, known.map(\.0)), at: offset)
        return nil
    }

    mutating func duration(_ node: JSONValue.Node) -> Duration? {
        let duration: Duration?
        switch node.value {
        case .string(let text): duration = DurationText.parse(text)
        case .number(let text): duration = DurationText.parse(number: text)
        default:
            wrongType(node, "a duration such as \"10m\", or a number of seconds")
            return nil
        }
        if duration == nil { report(.badDuration, "This is not a duration; \(DurationText.help).", at: node.offset) }
        return duration
    }
}
