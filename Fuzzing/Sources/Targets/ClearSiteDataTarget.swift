import HTTPCacheSemantics
import HTTPTypes

/// `Clear-Site-Data`, W3C Clear Site Data §3.1: the lines of the field.
enum ClearSiteDataTarget: FuzzTarget {
    static let name = "clear-site-data"
    static let shapes = HostileShape.list() + [HostileShape("\"cache\","), HostileShape("\"\\c\",")]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        guard let field = HTTPField.Name("Clear-Site-Data") else { return }
        let fields = HTTPFields(input.lines.map { HTTPField(name: field, value: $0) })
        let found = ClearSiteData.clearsCache(fields)
        try claim(ClearSiteData.clearsCache(fields.adding(field, "\"cache\"")), "one type more", [fields])
        let others = fields.adding(field, "cache, \"Cache\"")
        try claim(ClearSiteData.clearsCache(others) == found, "neither is a type", [fields])
        let hasQuote = fields.contains { $0.value.utf8.contains(0x22) }
        try claim(!found || hasQuote, "a type stands in quotes", [fields])
    }
}
