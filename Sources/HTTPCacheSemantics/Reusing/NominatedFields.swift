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
            for name in names { values[name.canonicalName] = .some(Self.combined(name, in: request)) }
        }
    }

    /// Whether the fields of a presented request match the nominated ones.
    ///
    /// Values match when they are the same after combining lines and folding optional white space around commas,
    /// the transformations that §4.1 names as safe for every list field; "absent" matches only "absent".
    public func match(_ presented: HTTPFields) -> Bool {
        values.allSatisfy { name, original in
            guard let name = HTTPField.Name(name) else { return false }
            return Self.combined(name, in: presented) == original
        }
    }

    private static func combined(_ name: HTTPField.Name, in fields: HTTPFields) -> String? {
        let lines = fields[values: name]
        return lines.isEmpty ? nil : ListField.members(lines).joined(separator: ", ")
    }
}
