import StrictJSON

/// An object of a head or a list, whose values must have the types that are asked for.
struct ManifestObject {
    /// The greatest integer that every JSON reader holds exactly (RFC 8259 §6).
    static let greatestInteger: Int64 = 9_007_199_254_740_991

    private let members: [JSONValue.Member]
    /// The object's name in messages: `a file of the list`.
    private let place: String
    private let code: ManifestRefusal.Code

    /// - Throws: `unsupported` for an unknown key that begins with `must-`; other unknown keys are passed over.
    init(_ node: JSONValue.Node, _ place: String, _ code: ManifestRefusal.Code) throws(ManifestRefusal) {
        guard case .object(let members) = node.value else {
            throw ManifestRefusal(code, "Expected \(place), not \(node.value.kind), at octet \(node.offset).")
        }
        (self.members, self.place, self.code) = (members, place, code)
        // No key of that kind is known yet.
        if let key = members.first(where: { $0.key.utf8.starts(with: "must-".utf8) })?.key {
            throw ManifestRefusal(
                .unsupported, "\(place) has the key \"\(key)\", which needs a newer version of the app.")
        }
    }

    func refusal(_ key: String, _ wanted: String) -> ManifestRefusal {
        ManifestRefusal(code, "\"\(key)\" in \(place) is missing or is not \(wanted).")
    }

    func node(_ key: String) -> JSONValue.Node? { members.first { $0.key == key }?.node }

    func text(_ key: String, limit: Int) throws(ManifestRefusal) -> String {
        guard let text = try optionalText(key, limit: limit) else { throw refusal(key, "a text") }
        return text
    }

    func optionalText(_ key: String, limit: Int) throws(ManifestRefusal) -> String? {
        guard let node = node(key) else { return nil }
        guard case .string(let text) = node.value, Self.isPlain(text, limit: limit) else {
            throw refusal(key, "a text of 1 to \(limit) octets without control characters")
        }
        return text
    }

    /// Whole, from zero to ``greatestInteger``.
    func integer(_ key: String) throws(ManifestRefusal) -> Int64 {
        guard case .number(let text)? = node(key)?.value, text.utf8.first != 0x2D, text.utf8.count <= 16,
            let number = Int64(text), number <= Self.greatestInteger
        else { throw refusal(key, "a whole number from 0 to \(Self.greatestInteger)") }
        return number
    }

    /// `false` where the key is absent.
    func flag(_ key: String) throws(ManifestRefusal) -> Bool {
        guard let node = node(key) else { return false }
        guard case .bool(let flag) = node.value else { throw refusal(key, "true or false") }
        return flag
    }

    func digest(_ key: String) throws(ManifestRefusal) -> ContentDigest {
        guard case .string(let text)? = node(key)?.value, let digest = ContentDigest(text) else {
            throw refusal(key, "a SHA-256 as 64 lower-case hexadecimal digits")
        }
        return digest
    }

    /// Empty where the key is absent.
    func list(_ key: String, limit: Int) throws(ManifestRefusal) -> [JSONValue.Node] {
        guard let node = node(key) else { return [] }
        guard case .array(let nodes) = node.value else { throw refusal(key, "a list") }
        guard nodes.count <= limit else { throw refusal(key, "a list of at most \(limit)") }
        return nodes
    }

    func texts(_ key: String, count: Int, limit: Int) throws(ManifestRefusal) -> [String] {
        var texts: [String] = []
        for node in try list(key, limit: count) {
            guard case .string(let text) = node.value, Self.isPlain(text, limit: limit) else {
                throw refusal(key, "a list of texts of 1 to \(limit) octets without control characters")
            }
            texts.append(text)
        }
        return texts
    }

    static func isPlain(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
