import HTTPTypes

/// The `Vary` field, RFC 9110 §12.5.5: the request fields that may have influenced the choice of a response.
package enum Vary: Hashable, Sendable, CustomStringConvertible {
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

    /// The field value: `*`, or the names in canonical (lower) case; empty for ``none``, for which no field is sent.
    package var description: String {
        switch self {
        case .none: ""
        case .anything: "*"
        case .fields(let names): names.map(\.canonicalName).joined(separator: ", ")
        }
    }
}
