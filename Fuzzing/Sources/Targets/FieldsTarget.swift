import HTTPCacheSemantics
import HTTPTypes

/// Which fields are forwarded and which are stored, RFC 9110 §7.6.1 and RFC 9111 §3.1: a message.
enum FieldsTarget: FuzzTarget {
    static let name = "fields"
    static let shapes =
        HostileShape.list(after: "\nConnection: ") + HostileShape.list(after: "\nCache-Control: no-cache=")
        + [HostileShape("Connection: close,\n"), HostileShape("a:\n"), HostileShape(":")]

    private static let always: Set<HTTPField.Name> = [.connection, .te, .transferEncoding, .upgrade]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let fields = input.messages(1)[0].fields
        var passed = fields
        HopByHopFields.remove(from: &passed)
        try claim(!passed.contains { always.contains($0.name) }, "no field of the connection is left", [passed])
        try claim(
            passed[values: .cacheControl] == fields[values: .cacheControl], "Cache-Control is for all", [passed])
        // In a value with a quote, commas do not separate all members.
        let options = fields[values: .connection].filter { !$0.utf8.contains(0x22) }
        var named: Set<HTTPField.Name> = []
        for option in options.flatMap({ $0.utf8.split(separator: 0x2C) }) {
            let member = String(Substring(option)).filter { $0 != " " && $0 != "\t" }
            if let name = HTTPField.Name(member), name != .cacheControl { named.insert(name) }
        }
        var trimmed = HTTPFields(fields.filter { $0.name != .connection })
        trimmed[.connection] = named.map(\.rawName).joined(separator: ", ")
        HopByHopFields.remove(from: &trimmed)
        try claim(!trimmed.contains { named.contains($0.name) }, "what Connection names goes (§7.6.1)", [named])
        let names = Set(passed.map(\.name))
        let kept = fields.filter { names.contains($0.name) }
        try claim(HTTPFields(kept).octets == passed.octets, "the rest stays as it is", [passed])
        var twice = passed
        HopByHopFields.remove(from: &twice)
        try claim(twice.octets == passed.octets, "nothing goes the second time", [twice, passed])

        let stored = StorableFields.select(from: fields)
        try claim(StorableFields.select(from: stored).octets == stored.octets, "nor when stored", [stored])
        try claim(stored.allSatisfy { names.contains($0.name) }, "what does not travel is not stored", [stored])
    }
}
