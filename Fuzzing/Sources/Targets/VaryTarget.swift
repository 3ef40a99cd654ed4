import HTTPCacheSemantics
import HTTPTypes

/// `Vary`, RFC 9110 §12.5.5: the lines of the field.
enum VaryTarget: FuzzTarget {
    static let name = "vary"
    static let shapes = HostileShape.list() + [HostileShape("*,"), HostileShape("Accept,\n")]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let fields = HTTPFields(input.lines.map { HTTPField(name: .vary, value: $0) })
        let vary = Vary(fields)
        try claim(Vary(fields.adding(.vary, "*")) == .anything, "a list that contains * (RFC 9111 §4.1)", [fields])
        try claim(Vary(fields.adding(.vary, ", ,")) == vary, "empty members say nothing", [fields])
        guard case .fields(let names) = vary else { return }
        let canonical = names.map(\.canonicalName)
        try claim(!names.isEmpty, "none is not an empty list", [fields])
        try claim(zip(canonical, canonical.dropFirst()).allSatisfy { $0 < $1 }, "sorted, each once", [canonical])
        try claim(Vary([.vary: canonical.joined(separator: ", ")]) == vary, "its names are read again", [vary])
    }
}
