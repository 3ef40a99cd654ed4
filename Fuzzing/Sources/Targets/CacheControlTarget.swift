import HTTPCacheSemantics

/// `Cache-Control`, RFC 9111 §5.2: the lines of the field.
enum CacheControlTarget: FuzzTarget {
    static let name = "cache-control"
    static let shapes =
        HostileShape.list(after: "no-cache=")
        + [HostileShape("9", after: "max-age="), HostileShape("x,", after: "no-cache=\""), HostileShape("\n")]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let lines = input.lines
        let control = CacheControl(lines: lines)
        for directive in control.directives {
            try claim(!directive.name.isEmpty, "a directive has a name", [directive])
            try claim(!directive.name.utf8.contains { (0x41...0x5A).contains($0) }, "in lower case", [directive])
        }
        if !lines.contains(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) {
            let again = CacheControl(lines: [control.description])
            try claim(again == control, "what is printed is read again", [control, again])
        }
        let printed = control.directives.map { $0.name + ($0.argument.map { "=" + $0.quoted } ?? "") }
        try claim(CacheControl(lines: printed) == control, "quoted as well", [printed, control])
        try claim(
            CacheControl(lines: [printed.joined(separator: ", ")]) == control, "in one line as well", [printed])
        // A quoted string that is open at the end of a line ends there, not in the next line.
        if !lines.dropLast().contains(where: { $0.utf8.contains(0x22) }) {
            let joined = CacheControl(lines: [lines.joined(separator: ", ")])
            try claim(joined == control, "one line or several, the same list (RFC 9110 §5.3)", [joined, control])
        }
        try nothingHides(lines, control)
        for name in ["max-age", "s-maxage", "max-stale", "min-fresh", "no-cache"] {
            switch control.seconds(name) {
            case .absent: try claim(!control.has(name), "absent means absent", [name])
            case .invalid: try claim(control.has(name), "invalid means present", [name])
            case .value(let value):
                try claim(
                    value >= .zero && value <= .seconds(DeltaSeconds.greatest), "§1.2.2 limits it", [name, value])
            }
            try claim(!control.hasUnqualified(name) || control.has(name), "unqualified is present", [name])
            if control.first(name).map({ $0.argument == nil }) ?? false {
                try claim(control.hasUnqualified(name), "without an argument it is unqualified", [name])
            }
            if control.has(name), !control.hasUnqualified(name) {
                try claim(
                    control.qualifiedFieldNames(name)?.isEmpty == false, "qualified by at least one name", [name])
            }
        }
    }

    /// No text before or after `no-store` removes it, except a quoted string around it.
    private static func nothingHides(_ lines: [String], _ control: CacheControl) throws(BrokenClaim) {
        let before = CacheControl(lines: ["no-store," + (lines.first ?? "")] + lines.dropFirst())
        try claim(before.directives == [.init(name: "no-store")] + control.directives, "no-store first", [lines])
        let after = CacheControl(lines: lines + ["no-store"])
        try claim(after.directives == control.directives + [.init(name: "no-store")], "no-store last", [lines])
        guard let last = lines.last, !last.utf8.contains(0x22) else { return }
        try claim(CacheControl(lines: [last + ",no-store"]).has("no-store"), "no-store behind", [last])
    }
}
