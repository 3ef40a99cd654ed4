import HTTPTypes

/// The request field values that selected a stored response, RFC 9111 §4.1.
package struct NominatedFields: Hashable, Sendable {
    /// Canonical field name → the request's combined value, `nil` where the request had no such field.
    package var values: [String: String?]

    package init(values: [String: String?] = [:]) {
        self.values = values
    }

    /// Takes the fields from a request that a response's `Vary` nominates.
    package init(_ request: HTTPFields, vary: Vary) {
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
    /// Values match if they have the same octets after combining lines and, in fields that are known to be lists, after
    /// removing optional white space around commas, which §4.1 allows "where allowed in the header field's syntax".
    /// Language tags and content codings compare without case, as defined (RFC 5646 §2.1.1, RFC 9110 §8.4.1); their
    /// order counts, since origins may read it. "Absent" matches only "absent". A value with octets that were not UTF-8
    /// (U+FFFD here) matches nothing: the octets are lost.
    package func match(_ presented: HTTPFields) -> Bool {
        // Each name is searched in all fields, so many would take quadratic time.
        values.count <= 8 && values.allSatisfy { Self.isSame($0.key, $0.value, in: presented) } || matchAny(presented)
    }

    /// Whether a field is absent as before, or has one line in ASCII that is as before: the usual case.
    private static func isSame(_ name: String, _ original: String?, in presented: HTTPFields) -> Bool {
        guard let place = presented.firstIndex(where: { $0.name.canonicalName == name }) else { return original == nil }
        let value = presented[place].value.utf8
        return original?.utf8.elementsEqual(value) == true && value.allSatisfy { $0 < 0x80 }
            && !presented[(place + 1)...].contains { $0.name.canonicalName == name }
    }

    /// The value of `Cookie`; `nil` where it is not nominated, or the request had none.
    package var cookie: String? { values["cookie"] ?? nil }

    /// Without the fields whose canonical names hold.
    package func leavingOut(_ isLeftOut: (String) -> Bool) -> Self {
        Self(values: values.filter { !isLeftOut($0.key) })
    }

    /// The names of the nominated fields that another request has with other values.
    package func differing(from presented: HTTPFields) -> [String] {
        values.filter { !Self(values: [$0.key: $0.value]).match(presented) }.map(\.key)
    }

    /// Compares any fields.
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
        // HTTP/2 splits Cookie at its semicolons (RFC 9113 §8.2.3); it is not a list.
        return lines.map(ListField.trimmed).joined(separator: name == "cookie" ? "; " : ", ")
    }

    private static func ignoresCase(_ name: String) -> Bool { name == "accept-encoding" || name == "accept-language" }

    /// Whether a request field is defined as a `#`-list, or a List of RFC 8941. In other fields a comma may be content.
    private static func isList(_ name: String) -> Bool {
        // A linear search that skips names of other lengths takes less time than hashing.
        let count = name.utf8.count
        return listFields.contains { $0.utf8.count == count && $0 == name }
    }

    private static let listFields = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "access-control-request-headers",
        "cache-control", "connection", "content-encoding", "content-language", "if-match", "if-none-match", "pragma",
        "prefer", "sec-ch-ua", "sec-ch-ua-full-version-list", "te", "trailer", "upgrade", "via",
    ]
}

/// The `Vary` field, RFC 9110 §12.5.5: the request fields that may have influenced the choice of a response.
package enum Vary: Hashable, Sendable {
    /// Absent or empty: the response matches every request for its URI.
    case none
    /// A list that contains `*`: no later request can be known to match (RFC 9111 §4.1).
    case anything
    /// The nominated names, sorted and unique.
    case fields([HTTPField.Name])

    package init(_ fields: HTTPFields) {
        let members = ListField.members(fields[values: .vary])
        if members.contains("*") {
            self = .anything
            return
        }
        // A member that is not a field name can't be compared; we treat it like "*", the safe reading.
        var names: [HTTPField.Name] = []
        for member in members {
            guard let name = HTTPField.Name(member) else {
                self = .anything
                return
            }
            names.append(name)
        }
        let unique = Dictionary(names.map { ($0.canonicalName, $0) }, uniquingKeysWith: { first, _ in first })
        self = unique.isEmpty ? .none : .fields(unique.keys.sorted().compactMap { unique[$0] })
    }
}
