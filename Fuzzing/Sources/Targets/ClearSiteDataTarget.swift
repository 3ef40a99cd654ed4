import HTTPCacheSemantics
import HTTPTypes

/// `Clear-Site-Data`, W3C Clear Site Data §3.1: the lines of the field.
enum ClearSiteDataTarget: FuzzTarget {
    static let name = "clear-site-data"
    static let shapes = HostileShape.list() + [HostileShape("\"cache\","), HostileShape("\"\\c\",")]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        guard let field = HTTPField.Name("Clear-Site-Data") else { return }
        let fields = HTTPFields(input.lines.map { HTTPField(name: field, value: $0) })
        let found = ClearSiteData(fields)
        let printed = found.types.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        try claim(ClearSiteData([field: printed]) == found, "what is printed is read again", [found])
        let more = ClearSiteData(fields.adding(field, "\"cache\""))
        try claim(more.clearsCache && more.types == found.types.union([.cache]), "one type more", [fields])
        try claim(ClearSiteData(fields.adding(field, "cache, \"Cache\"")) == found, "neither is a type", [fields])
        let hasQuote = fields.contains { $0.value.utf8.contains(0x22) }
        try claim(found.types.isEmpty || hasQuote, "a type stands in quotes", [fields])
    }
}
