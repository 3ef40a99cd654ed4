/// A suggestion for an unknown name.
enum NearestName {
    /// Names from other tools, and ours.
    private static let foreignWords = [
        "regex": "regular-expression", "regexp": "regular-expression", "pattern": "regular-expression",
        "domain": "host", "hostname": "host", "extension": "file-extension", "header": "request-header",
        "mime": "content-type", "mime-type": "content-type", "glob": "path", "url": "regular-expression",
        "max-age": "for", "ttl": "for", "duration": "for", "comment": "note", "description": "note",
        "strategy": "verdict", "handler": "verdict", "match": "when", "conditions": "when",
        "no-store": "never-store", "no-cache": "revalidate", "must-revalidate": "revalidate",
        "immutable": "permanent", "swr": "stale-while-revalidate", "only-if-cached": "only-if-stored",
        "empty": "fetch",
    ]

    /// The most similar known name, unless more than a third of its letters differ; hyphens, underscores and case do
    /// not count.
    static func of(_ name: String, among known: [String]) -> String? {
        if let word = foreignWords[name.lowercased()], known.contains(word) { return word }
        guard name.utf8.count <= 64 else { return nil }
        let letters = letters(name)
        let ranked = known.map { (name: $0, distance: distance(letters, Self.letters($0))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.name.utf8.count / 3) ? best.name : nil
    }

    private static func letters(_ name: String) -> [UInt8] {
        name.utf8.filter { $0 != 0x2D && $0 != 0x5F }.map(\.asciiLowercased)
    }

    /// The least number of octets to insert, remove, change, or swap with a neighbour.
    static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for (row, byte) in one.enumerated() {
            var current = [row + 1]
            for (column, target) in other.enumerated() {
                var least = min(last[column] + (byte == target ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, byte == other[column - 1], one[row - 1] == target {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                current.append(least)
            }
            (beforeLast, last) = (last, current)
        }
        return last.last ?? 0
    }
}
