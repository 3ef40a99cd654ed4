import HTTPCacheSemantics
import HTTPTypes

/// Targeted fields, RFC 9213 §2.2: a line with one field, then lines with the one that counts without it.
enum TargetedCacheControlTarget: FuzzTarget {
    static let name = "targeted-cache-control"
    static let shapes =
        HostileShape.list()
        + [
            HostileShape("a=1,"), HostileShape("9", after: "max-age="), HostileShape("(a "),
            HostileShape("max-age=1;x,"),
        ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        guard let own = HTTPField.Name("Larder-Cache-Control"), let general = HTTPField.Name("CDN-Cache-Control") else {
            return
        }
        let lines = input.lines
        var fields = HTTPFields(lines.dropFirst().map { HTTPField(name: general, value: $0) })
        let fallback = TargetedCacheControl.directives(fields, names: [own, general])
        try claim(fallback == TargetedCacheControl.directives(fields, names: [general]), "absent counts for nothing")
        fields.append(HTTPField(name: own, value: lines[0]))
        let directives = TargetedCacheControl.directives(fields, names: [own, general])
        let first = TargetedCacheControl.directives(fields, names: [own])
        try claim(directives == first ?? fallback, "the first that has a value (§2.2)", [fields])
        guard let directives else { return }
        let names = directives.directives.map(\.name)
        try claim(Set(names).count == names.count, "each directive once", [directives])
        for name in ["max-age", "s-maxage", "stale-while-revalidate", "stale-if-error"] {
            try claim(directives.seconds(name) != .invalid, "a duration is an Integer (§2.1)", [name, directives])
        }
        let again = CacheControl(lines: [directives.description])
        try claim(again == directives, "as Cache-Control it says the same", [directives, again])
    }
}
