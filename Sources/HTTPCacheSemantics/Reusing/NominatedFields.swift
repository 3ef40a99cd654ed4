import HTTPTypes

/// The request field values that selected a stored response, RFC 9111 §4.1.
public struct NominatedFields: Hashable, Sendable {
    /// Canonical field name → the request's combined value, `nil` where the request had no such field.
    public var values: [String: String?]

    public init(values: [String: String?] = [:]) {
        self.values = values
    }

    /// Takes from a request what a response's `Vary` nominates.
    public init(_ request: HTTPFields, vary: Vary) {
        values = [:]
        if case .fields(let names) = vary {
            let lines = Self.lines(of: request)
            for name in names {
                values[name.canonicalName] = .some(Self.combined(lines[name.canonicalName], name.canonicalName))
            }
        }
    }

    /// Whether the fields of a presented request match the nominated ones.
    ///
    /// Values match when they have the same octets after combining lines, and in fields that are known to be lists
    /// after folding optional white space around commas, which §4.1 allows "where allowed in the header field's
    /// syntax". Language tags and content codings are compared without case, as their definitions say (RFC 5646
    /// §2.1.1, RFC 9110 §8.4.1); their order is kept, since origins may read it. "Absent" matches only "absent". A
    /// value with octets that were not UTF-8 (here U+FFFD) matches nothing: what they were is lost.
    public func match(_ presented: HTTPFields) -> Bool {
        guard !values.isEmpty else { return true }
        return matchInPlace(presented) ?? matchAny(presented)
    }

    /// Compares any fields, however many.
    func matchAny(_ presented: HTTPFields) -> Bool {
        let lines = Self.lines(of: presented)
        return values.allSatisfy { name, original in
            switch (original, Self.combined(lines[name], name)) {
            case (nil, nil): true
            case (let original?, let value?):
                original.utf8.elementsEqual(value.utf8) && !value.unicodeScalars.contains("\u{FFFD}")
            default: false
            }
        }
    }

    private static func lines(of fields: HTTPFields) -> [String: [String]] {
        var lines: [String: [String]] = [:]
        for field in fields { lines[field.name.canonicalName, default: []].append(field.value) }
        return lines
    }

    private static func combined(_ lines: [String]?, _ name: String) -> String? {
        guard let lines else { return nil }
        if isList(name) {
            let value = ListField.members(lines).joined(separator: ", ")
            return ignoresCase(name) ? value.lowercased() : value
        }
        // HTTP/2 splits Cookie at its semicolons (RFC 9113 §8.2.3); it is no list.
        return lines.map(ListField.trimmed).joined(separator: name == "cookie" ? "; " : ", ")
    }

    static func ignoresCase(_ name: String) -> Bool { name == "accept-encoding" || name == "accept-language" }

    /// Whether a request field is defined as a `#`-list, or a List of RFC 8941. In any other a comma may be content.
    static func isList(_ name: String) -> Bool {
        // Looked at one by one: that takes less time than hashing, and names of other lengths are passed over.
        let count = name.utf8.count
        return listFields.contains { $0.utf8.count == count && $0 == name }
    }

    private static let listFields = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "access-control-request-headers",
        "cache-control", "connection", "content-encoding", "content-language", "if-match", "if-none-match", "pragma",
        "prefer", "sec-ch-ua", "sec-ch-ua-full-version-list", "te", "trailer", "upgrade", "via",
    ]
}
