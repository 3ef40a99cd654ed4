@testable import HTTPCacheSemantics

/// Lists and Dictionaries of RFC 9651: the lines of a field.
enum StructuredFieldTarget: FuzzTarget {
    static let name = "structured-field"
    static let shapes =
        HostileShape.list()
        + ["(", "()", "(a ", "a;b", "a;b=\"c\",", "a=(", ";", "1", "a,\n", "%\"%c3", "?1,", ":a", "-"].map {
            HostileShape($0)
        }

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let lines = input.lines
        if let members = StructuredField.list(lines: lines) {
            if !members.contains(where: Self.isPartlyLost) {
                let printed = members.map(Self.text).joined(separator: ", ")
                try claim(StructuredField.list(lines: [printed]) == members, "a List is read as printed", [printed])
            }
            try claim(
                members.isEmpty == lines.allSatisfy { $0.utf8.allSatisfy { $0 == 0x20 } } || lines.count > 1,
                "empty where nothing stands (§4.2.1)", [lines])
        }
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
        let alone = StructuredField.list(lines: [lines[0]])
        if checker.isOneItem() {
            try claim(alone?.count == 1, "an Item is a List of one", [lines[0]])
        }
        if lines.count > 1, let alone, let other = StructuredField.list(lines: [lines[1]]), !alone.isEmpty,
            !other.isEmpty
        {
            let both = StructuredField.list(lines: [lines[0], lines[1]])
            try claim(both == alone + other, "two lines are one List (§4.2)", [lines])
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
