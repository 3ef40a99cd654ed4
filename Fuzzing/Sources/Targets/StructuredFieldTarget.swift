@testable import HTTPCacheSemantics

/// Dictionaries of RFC 9651: the lines of a field.
enum StructuredFieldTarget: FuzzTarget {
    static let name = "structured-field"
    static let shapes =
        HostileShape.list()
        + ["(", "()", "(a ", "a;b", "a;b=\"c\",", "a=(", ";", "1", "a,\n", "%\"%c3", "?1,", ":a", "-"].map {
            HostileShape($0)
        }

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let lines = input.lines
        if let members = StructuredField.dictionary(lines: lines) {
            try claim(Set(members.map(\.key)).count == members.count, "each key once", [lines])
            if !members.contains(where: { Self.isPartlyLost($0.member) }) {
                let printed = members.map { $0.key + "=" + Self.text($0.member) }.joined(separator: ",\t ")
                let again = StructuredField.dictionary(lines: [printed])
                let isSame = again?.elementsEqual(members) { $0.key == $1.key && $0.member == $1.member } ?? false
                try claim(isSame, "a Dictionary is read as printed", [printed])
            }
        }
        var checker = StructuredListChecker(lines[0])
        if checker.isOneItem() {
            let alone = StructuredField.dictionary(lines: ["a=" + lines[0]])
            try claim(alone?.count == 1, "an Item is a value of a Dictionary", [lines[0]])
        }
        if lines.count > 1, let first = StructuredField.dictionary(lines: [lines[0]]), !first.isEmpty,
            let second = StructuredField.dictionary(lines: [lines[1]]), !second.isEmpty
        {
            let both = StructuredField.dictionary(lines: [lines[0], lines[1]])
            let keys = Set((first + second).map(\.key))
            try claim(both.map { Set($0.map(\.key)) } == keys, "two lines are one Dictionary (§4.2)", [lines])
        }
    }

    /// Whether a member has a type whose value is not kept.
    private static func isPartlyLost(_ member: StructuredField.Member) -> Bool {
        let items: [StructuredField.Item]
        switch member {
        case .item(let item): items = [item]
        case .innerList(let list): items = list
        }
        return items.contains { $0.value == .other || $0.parameters.values.contains(.other) }
    }

    private static func text(_ member: StructuredField.Member) -> String {
        switch member {
        case .item(let item): text(item)
        case .innerList(let items): "(" + items.map(text).joined(separator: "  ") + ");x=1"
        }
    }

    private static func text(_ item: StructuredField.Item) -> String {
        item.parameters.reduce(text(item.value)) { $0 + "; " + $1.key + "=" + text($1.value) }
    }

    private static func text(_ item: StructuredField.BareItem) -> String {
        switch item {
        case .integer(let number): String(number)
        case .string(let string): StructuredField.serialized(string: string)
        case .token(let token): token
        case .boolean(let isTrue): isTrue ? "?1" : "?0"
        case .other: "1.5"
        }
    }
}
