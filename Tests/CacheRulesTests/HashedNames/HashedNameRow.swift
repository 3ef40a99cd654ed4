import CacheRules
import Testing

/// A path from a tool or an application, and the hash in it.
///
/// Written as the path with the hash in braces, and for readers a space and the naming convention:
/// `/js/app.{5d60c2ed348e2db0}.js hex16`. A hash that is known to be missed has a tilde before it
/// and no convention. A path without braces has no hash.
struct HashedNameRow: Sendable, CustomTestStringConvertible {
    var origin: String
    var path: String
    var hash: String?

    var testDescription: String { "\(path) of \(origin)" }

    init(origin: String, line: Substring) {
        self.origin = origin
        let columns = line.split(separator: " ", maxSplits: 1)
        let marked = columns.first ?? ""
        path = String(marked.filter { !"{}".contains($0) })
        guard let open = marked.firstIndex(of: "{"), let close = marked.firstIndex(of: "}") else { return }
        let inside = marked[marked.index(after: open)..<close]
        if inside.first == "~" {
            path = String(marked[..<open] + inside.dropFirst() + marked[marked.index(after: close)...])
        } else {
            hash = String(inside)
        }
    }

    /// - Parameters:
    ///   - origin: Who named these files, with its version.
    ///   - rows: One a line.
    static func table(_ origin: String, _ rows: String) -> [Self] {
        rows.split(separator: "\n").map { Self(origin: origin, line: $0) }
    }

    func check(queryItems: [String] = []) {
        let found = HashedName(path: path, queryItems: queryItems)
        #expect(found.map { String($0.hash) } == hash)
    }
}
