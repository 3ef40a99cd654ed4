/// `Cache-Control`, RFC 9111 §5.2: the directives in order.
struct ModelDirectives: Hashable, Sendable {
    struct Directive: Hashable, Sendable {
        var name: String
        var argument: String?
    }

    enum Seconds: Hashable, Sendable {
        case absent, unreadable
        case value(Int64)

        var value: Int64? {
            if case .value(let seconds) = self { return seconds }
            return nil
        }
    }

    var all: [Directive]

    init(_ lines: [String]) {
        all = lines.flatMap { ModelText.list($0) }.map { member in
            guard let sign = member.firstIndex(of: "=") else { return Directive(name: member.lowercased()) }
            var argument = String(member[member.index(after: sign)...])
            if argument.utf8.count >= 2, argument.hasPrefix("\""), argument.hasSuffix("\"") {
                argument = String(argument.dropFirst().dropLast())
            }
            return Directive(name: member[..<sign].lowercased(), argument: argument)
        }
    }

    func has(_ name: String) -> Bool { all.contains { $0.name == name } }

    /// Whether the directive has no argument, and so concerns the whole response.
    func hasUnqualified(_ name: String) -> Bool { all.contains { $0.name == name && $0.argument == nil } }

    /// The field names that `no-cache` or `private` is limited to, in lower case.
    func fieldNames(_ name: String) -> [String] {
        all.filter { $0.name == name }.flatMap { ModelText.list($0.argument ?? "") }.map { $0.lowercased() }
    }

    /// Of several, "the first occurrence should be used" (§4.2.1).
    func seconds(_ name: String) -> Seconds {
        guard let first = all.first(where: { $0.name == name }) else { return .absent }
        return first.argument.flatMap { ModelText.seconds($0) }.map { .value($0) } ?? .unreadable
    }
}

/// The directives that decide about a response: its `Cache-Control` and `Expires`, or the fields that replace them by
/// RFC 9213.
struct ModelPolicy: Hashable, Sendable {
    var directives: ModelDirectives
    var expires: [String]

    init(_ fields: [ModelField], _ cache: ModelKind) {
        if cache.isShared, let targeted = Self.dictionary(fields.values("cdn-cache-control")) {
            // RFC 9213 §2.2: "it MUST ignore the Cache-Control and Expires header fields in that response".
            directives = ModelDirectives(targeted)
            expires = []
        } else {
            directives = ModelDirectives(fields.values("cache-control"))
            expires = fields.values("expires")
        }
    }

    /// The members of a structured dictionary without their parameters, the last one of each key; `nil` when it is
    /// empty or broken. Reads only what the histories generate: keys with integers, strings or nothing.
    private static func dictionary(_ lines: [String]) -> [String]? {
        var members: [(key: String, text: String)] = []
        let text = lines.joined(separator: ",")
        guard !ModelText.trimmed(text).isEmpty else { return nil }
        for part in ModelText.split(text, at: UInt8(ascii: ",")) {
            let item = ModelText.split(part, at: UInt8(ascii: ";"))[0]
            let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
            let key = sides[0]
            guard let start = key.utf8.first, start >= 0x61 && start <= 0x7A,
                key.utf8.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A || $0 == 0x2D || $0 >= 0x30 && $0 <= 0x39 })
            else { return nil }
            if sides.count == 2 {
                let isInteger = !sides[1].isEmpty && sides[1].utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
                let isString = sides[1].utf8.count >= 2 && sides[1].hasPrefix("\"") && sides[1].hasSuffix("\"")
                guard isInteger && sides[1].utf8.count <= 15 || isString else { return nil }
            }
            members.removeAll { $0.key == key }
            members.append((key, item))
        }
        return members.map(\.text)
    }
}

/// The kind of cache that the model describes.
struct ModelKind: Hashable, Sendable {
    var isShared: Bool
    /// Whether the rule is in force that serves every stored response while there is no network, even if it forbids
    /// that: a named departure.
    var hasDisconnectedRule = false
}
