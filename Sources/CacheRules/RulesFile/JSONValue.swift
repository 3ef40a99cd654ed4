/// A JSON text (RFC 8259), with the positions of its parts.
indirect enum JSONValue {
    case null
    case bool(Bool)
    /// The number as written.
    case number(String)
    case string(String)
    case array([Node])
    case object([Member])

    struct Node {
        var value: JSONValue
        /// The offset of its first octet.
        var offset = 0
    }

    struct Member {
        var key: String
        var keyOffset = 0
        var node: Node
    }

    /// Its kind, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    static func texts(_ texts: [String]) -> JSONValue {
        texts.count == 1 ? .string(texts[0]) : .array(texts.map { Node(value: .string($0)) })
    }
}
