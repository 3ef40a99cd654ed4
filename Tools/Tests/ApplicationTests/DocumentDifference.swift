/// How two serialised documents differ, tag by tag, without regard to numbers and order.
struct DocumentDifference: Sendable {
    /// Tags and texts that one of them has more often than the other.
    private let counts: [String: Int]

    init(_ one: String, _ other: String) {
        var counts: [String: Int] = [:]
        for part in Self.parts(one) { counts[part, default: 0] += 1 }
        for part in Self.parts(other) { counts[part, default: 0] -= 1 }
        self.counts = counts.filter { $0.value != 0 }
    }

    /// Without what also differs, in either direction, between others.
    func besides(_ usual: DocumentDifference) -> [String] {
        counts.keys.filter { usual.counts[$0] == nil }.sorted()
    }

    /// Each tag with the text behind it; `#` for each number and each name that is drawn or counted: UUIDs, words with
    /// digits in them, React's `:r1:`.
    private static func parts(_ markup: String) -> [String] {
        let names = #/:r[0-9a-z]+:|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?=[a-z]*[0-9])[a-z0-9]{8,}\b|[0-9]+/#
        return markup.split(separator: "<").map { String($0).replacing(names) { _ in "#" } }
    }
}
