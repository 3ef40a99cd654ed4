/// A JSON text (RFC 8259), with the positions of its parts.
package indirect enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// The number as written.
    case number(String)
    case string(String)
    case array([Node])
    case object([Member])

    package struct Node: Sendable {
        package var value: JSONValue
        /// The offset of its first octet.
        package var offset: Int

        package init(value: JSONValue, offset: Int = 0) {
            (self.value, self.offset) = (value, offset)
        }
    }

    package struct Member: Sendable {
        package var key: String
        package var keyOffset: Int
        package var node: Node

        package init(key: String, keyOffset: Int = 0, node: Node) {
            (self.key, self.keyOffset, self.node) = (key, keyOffset, node)
        }
    }

    /// Its kind, for messages.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    package static func texts(_ texts: [String]) -> JSONValue {
        texts.count == 1 ? .string(texts[0]) : .array(texts.map { Node(value: .string($0)) })
    }
}

/// Prints readable JSON: a value that fits stays on one line, others are indented by two.
package struct JSONPrinter {
    private static let width = 100

    package static func print(_ value: JSONValue) -> String {
        lines(value, indent: 0, isBroken: true) + "\n"
    }

    /// - Parameter isBroken: Whether to use several lines even if one suffices.
    private static func lines(_ value: JSONValue, indent: Int, isBroken: Bool = false, before: Int = 0) -> String {
        let line = line(value)
        if !isBroken, indent + before + line.unicodeScalars.count <= width { return line }
        let margin = "\n" + String(repeating: " ", count: indent + 2)
        let end = "\n" + String(repeating: " ", count: indent)
        switch value {
        case .array(let nodes) where !nodes.isEmpty:
            let parts = nodes.map { margin + lines($0.value, indent: indent + 2, before: 1) }
            return "[" + parts.joined(separator: ",") + end + "]"
        case .object(let members) where !members.isEmpty:
            let parts = members.map { member in
                let key = quoted(member.key) + ": "
                // The list of rules always has one line for each rule.
                return margin + key
                    + lines(
                        member.node.value, indent: indent + 2, isBroken: isBroken,
                        before: key.unicodeScalars.count + 1)
            }
            return "{" + parts.joined(separator: ",") + end + "}"
        default: return line
        }
    }

    /// Everything on one line.
    package static func line(_ value: JSONValue) -> String { line(value, space: " ") }

    /// Everything on one line, without spaces.
    package static func compact(_ value: JSONValue) -> String { line(value, space: "") }

    private static func line(_ value: JSONValue, space: String) -> String {
        switch value {
        case .null: return "null"
        case .bool(let bool): return bool ? "true" : "false"
        case .number(let text): return text
        case .string(let text): return quoted(text)
        case .array(let nodes):
            return "[" + nodes.map { line($0.value, space: space) }.joined(separator: "," + space) + "]"
        case .object(let members):
            let parts = members.map { "\(quoted($0.key)):\(space)\(line($0.node.value, space: space))" }
            return parts.isEmpty ? "{}" : "{\(space)\(parts.joined(separator: "," + space))\(space)}"
        }
    }

    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..<"\u{20}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
