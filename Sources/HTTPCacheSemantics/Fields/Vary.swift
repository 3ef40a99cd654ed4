import HTTPTypes

/// The `Vary` field, RFC 9110 §12.5.5: which request fields might have influenced the choice of a response.
public enum Vary: Hashable, Sendable, CustomStringConvertible {
    /// Absent or empty: the response fits every request for its URI.
    case none
    /// A list that contains `*`: no later request can be known to match (RFC 9111 §4.1).
    case anything
    /// The nominated names, sorted, each once.
    case fields([HTTPField.Name])

    public init(_ fields: HTTPFields) {
        let members = ListField.members(fields[values: .vary])
        if members.contains("*") {
            self = .anything
            return
        }
        // A member that is no field name can't be compared: treated like "*", the safe reading.
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

    /// The field value: `*`, or the names in canonical (lower) case; empty for ``none``, where no field is sent.
    public var description: String {
        switch self {
        case .none: ""
        case .anything: "*"
        case .fields(let names): names.map(\.canonicalName).joined(separator: ", ")
        }
    }
}
