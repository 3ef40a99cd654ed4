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
            if let key = Key(rawValue: member.key) {
                known[key] = member
            } else if member.key == "regular-expression" {
                report(
                    .unknownKey,
                    "Rules have globs in place of regular expressions; write one, as in "
                        + "\"path\": \"/{news,sports}/**\".",
                    at: member.keyOffset)
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

/// Durations as text: `10m`, `7d`, `1h30m`, `1500ms`.
package enum DurationText {
    /// 2^31 seconds, the largest that "any practical freshness lifetime" needs (RFC 9111 §1.2.2).
    static let limit = Duration.seconds(2_147_483_648)
    /// Advice for error messages.
    package static let help = "write it like \"90s\", \"10m\", \"1h30m\" or \"7d\", at most 2147483648 seconds"

    /// From the largest to the smallest, in milliseconds.
    private static let units: [(name: String, length: Int64)] = [
        ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// - Returns: `nil` unless every number is followed by a unit, the units get smaller, and the sum is within the
    ///   limit.
    package static func parse(_ text: String) -> Duration? {
        var rest = Substring(text).utf8[...]
        var (sum, nextUnit) = (Int64(0), 0)
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            let letters = rest.dropFirst(digits.count).prefix { (0x61...0x7A).contains($0) }
            guard (1...13).contains(digits.count), let number = Int64(Substring(digits)),
                let unit = units[nextUnit...].firstIndex(where: { $0.name.utf8.elementsEqual(letters) })
            else { return nil }
            let (length, isTooLong) = number.multipliedReportingOverflow(by: units[unit].length)
            let (total, isTooMuch) = sum.addingReportingOverflow(length)
            if isTooLong || isTooMuch { return nil }
            sum = total
            nextUnit = unit + 1
            rest = rest.dropFirst(digits.count + letters.count)
        }
        return duration(milliseconds: sum)
    }

    /// - Parameter number: A JSON number; whole seconds.
    static func parse(number: String) -> Duration? {
        guard number.utf8.count <= 10, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = Int64(number)
        else { return nil }
        return duration(milliseconds: seconds * 1_000)
    }

    private static func duration(milliseconds: Int64) -> Duration? {
        let duration = Duration.milliseconds(milliseconds)
        return duration <= limit ? duration : nil
    }

    /// The canonical text, in days and smaller units.
    ///
    /// - Returns: `nil` if ``parse(_:)`` could not read it back: below zero, beyond the limit, or finer than a
    ///   millisecond.
    package static func print(_ duration: Duration) -> String? {
        guard duration >= .zero, duration <= limit else { return nil }
        let (seconds, attoseconds) = duration.components
        guard attoseconds % 1_000_000_000_000_000 == 0 else { return nil }
        var rest = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        if rest == 0 { return "0s" }
        var text = ""
        for (name, length) in units.dropFirst() where rest >= length {
            text += "\(rest / length)\(name)"
            rest %= length
        }
        return text
    }
}
