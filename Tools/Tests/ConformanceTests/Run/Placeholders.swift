import HTTPCacheSemantics

/// What stands in braces in the texts of a row.
///
/// `{10}`, `{-10}`: an HTTP-date so many seconds from the moment its scenario began. `{850:10}`, `{asctime:10}`: the
/// same in the obsolete forms. `{origin}`: scheme and authority of the origin. `{path}`: the scenario's own path, and
/// `{token}` its last part, with which bodies begin that a row leaves open. `{request}`: which request of its step the
/// origin answers, from one.
struct Placeholders: Sendable {
    var start: WallInstant
    var origin: String
    var path: String
    var request = 0

    func fill(_ text: String) -> String {
        guard text.contains("{") else { return text }
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            result += value(String(rest[rest.index(after: open)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    private func value(_ name: String) -> String {
        let parts = name.split(separator: ":").map(String.init)
        switch parts.first {
        case "origin": return origin
        case "path": return path
        case "request": return String(request)
        case "token": return String(path.dropFirst("/c/".count))
        case "850": return Int64(parts[1]).map { rfc850(date($0)) } ?? name
        case "asctime": return Int64(parts[1]).map { asctime(date($0)) } ?? name
        default: return Int64(name).map(date) ?? "{\(name)}"
        }
    }

    private func date(_ offset: Int64) -> String { HTTPDate.print(start + .seconds(offset)) }

    /// `Sunday, 06-Nov-94 08:49:37 GMT` from `Sun, 06 Nov 1994 08:49:37 GMT`.
    private func rfc850(_ date: String) -> String {
        let words = date.split(separator: " ").map(String.init)
        let names = ["Sun": "Sunday", "Mon": "Monday", "Tue": "Tuesday", "Wed": "Wednesday"]
        let others = ["Thu": "Thursday", "Fri": "Friday", "Sat": "Saturday"]
        let short = String(words[0].dropLast())
        return
            "\(names[short] ?? others[short] ?? short), \(words[1])-\(words[2])-\(words[3].suffix(2)) \(words[4]) GMT"
    }

    /// `Sun Nov  6 08:49:37 1994`
    private func asctime(_ date: String) -> String {
        let words = date.split(separator: " ").map(String.init)
        let day = words[1].hasPrefix("0") ? " " + words[1].dropFirst() : words[1]
        return "\(words[0].dropLast()) \(words[2]) \(day) \(words[4]) \(words[3])"
    }
}
