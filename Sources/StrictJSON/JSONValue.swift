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
