import HTTPCacheSemantics
import StrictJSON

/// An object of a head, a list or the index of a seed, whose values must have the types that are asked for.
package struct ManifestObject {
    /// The greatest integer that every JSON reader holds exactly (RFC 8259 §6).
    package static let greatestInteger: Int64 = 9_007_199_254_740_991

    private let members: [JSONValue.Member]
    /// The object's name in messages: `a file of the list`.
    private let place: String
    private let code: ManifestRefusal.Code

    /// - Throws: `unsupported` for an unknown key that begins with `must-`; other unknown keys are passed over.
    package init(_ node: JSONValue.Node, _ place: String, _ code: ManifestRefusal.Code) throws(ManifestRefusal) {
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

    /// An object that is all of a text.
    ///
    /// - Parameters:
    ///   - format: Where the version of the format stands, and the only one that is known; `nil` where there is none.
    ///   - duplicateKey: For a key that is repeated; `code` unless set.
    package init(
        _ bytes: [UInt8], _ place: String, _ code: ManifestRefusal.Code, format: (key: String, version: Int64)?,
        tooLarge: ManifestRefusal.Code, duplicateKey: ManifestRefusal.Code? = nil, sizeLimit: Int,
        valueLimit: Int = .max
    ) throws(ManifestRefusal) {
        let root: JSONValue.Node
        do throws(JSONReader.Failure) {
            root = try JSONReader.readUnique(bytes, sizeLimit: sizeLimit, valueLimit: valueLimit)
        } catch {
            let code: ManifestRefusal.Code =
                switch error.code {
                case .tooLarge: tooLarge
                case .tooManyValues: .tooMany
                case .duplicateKey: duplicateKey ?? code
                case .notUnicode, .syntax, .tooDeep: code
                }
            throw ManifestRefusal(code, "In \(place), at octet \(error.offset): \(error.message)")
        }
        try self.init(root, place, code)
        guard let format else { return }
        let stated = try integer(format.key)
        guard stated == format.version else {
            throw ManifestRefusal(
                .unsupported,
                "The format of \(place) is \(stated); this app knows \(format.version). Update the app.")
        }
    }

    package func refusal(_ key: String, _ wanted: String) -> ManifestRefusal {
        ManifestRefusal(code, "\"\(key)\" in \(place) is missing or is not \(wanted).")
    }

    package func node(_ key: String) -> JSONValue.Node? { members.first { $0.key == key }?.node }

    package func text(_ key: String, limit: Int) throws(ManifestRefusal) -> String {
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
    package func integer(_ key: String) throws(ManifestRefusal) -> Int64 {
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

    package func digest(_ key: String) throws(ManifestRefusal) -> BodyDigest {
        guard case .string(let text)? = node(key)?.value, let digest = BodyDigest(text) else {
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

    /// Reads a list of files, of which no two may have one name.
    package func files<File>(
        limit: Int, name: KeyPath<File, String>, _ read: (JSONValue.Node) throws(ManifestRefusal) -> File
    ) throws(ManifestRefusal) -> [File] {
        guard case .array(let nodes)? = node("files")?.value else { throw refusal("files", "a list") }
        guard nodes.count <= limit else {
            throw ManifestRefusal(
                .tooMany, "In \(place) there are \(nodes.count) files; at most \(limit) are allowed. Leave some out.")
        }
        var (files, names) = ([File](), Set<String>(minimumCapacity: nodes.count))
        files.reserveCapacity(nodes.count)
        for node in nodes {
            let file = try read(node)
            // The names are ASCII, so strings that are equal have the same octets.
            guard names.insert(file[keyPath: name]).inserted else {
                throw ManifestRefusal(
                    .duplicatePath, "In \(place), \"\(file[keyPath: name])\" stands twice; keep one of them.")
            }
            files.append(file)
        }
        return files
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
