import CacheEngine
import HTTPCacheSemantics

/// Stored responses, a line each, for a terminal.
///
/// Nothing in the text from outside can move the cursor or change colours.
package struct StoredItemsText {
    private let items: [StoredItem]
    private let now: Double
    private let ink: TerminalInk
    private let width: Int?
    private let isLong: Bool

    /// - Parameters:
    ///   - now: Seconds since the Unix epoch, from which ages are counted.
    ///   - colours: Whether to send colours; without them the text is plain.
    ///   - width: The terminal's columns, of which at least 60 are used; `nil` where nothing is to be cut.
    ///   - isLong: Whether notes are shown in full.
    package init(_ items: [StoredItem], now: Double, colours: Bool, width: Int?, isLong: Bool = false) {
        self.isLong = isLong
        (self.items, self.now, self.width) = (items, now, width.map { max($0, 60) })
        ink = TerminalInk(isOn: colours)
    }

    /// The whole text, without a line break at its end.
    package func render() -> String {
        guard !items.isEmpty else { return "nothing" }
        let showsAccounts = items.contains { !$0.account.isEmpty }
        let notes = items.map { Self.notes($0, now) }
        let showsNotes = notes.contains { !$0.isEmpty }
        var columns: [TextTable.Column] = [
            .init(title: "size", isRightAligned: true), .init(title: "status"),
            .init(title: "type", sacrifice: 4),
            .init(title: "stored", isRightAligned: true, sacrifice: 2),
            .init(title: "used", isRightAligned: true, sacrifice: 1),
        ]
        let showsCurrent = items.contains { $0.current != nil }
        if showsCurrent { columns.append(.init(title: "server has")) }
        if showsAccounts { columns.append(.init(title: "account")) }
        if showsNotes { columns.append(.init(title: "notes", sacrifice: isLong ? nil : 3)) }
        columns.append(.init(title: "URL"))
        let rows = zip(items, notes).map { item, notes -> [String] in
            var row = [
                Quantity.bytes(item.size), item.status.map { "\($0)" } ?? Quantity.missing,
                item.contentType ?? Quantity.missing, Self.age(item.storedAt, now),
                Self.age(item.lastUsed, now),
            ]
            if showsCurrent { row.append(item.current ?? Quantity.missing) }
            if showsAccounts { row.append(item.account) }
            if showsNotes {
                row.append(isLong || width == nil ? notes : TerminalText.shortened(notes, to: Self.notesWidth))
            }
            return row + [item.url + (item.location.map { " → " + $0 } ?? "")]
        }
        let total = items.reduce(ByteCount.zero) { $0 + ByteCount($1.size) }.bytes
        let count = items.count == 1 ? "one response" : "\(items.count) responses"
        let table = TextTable(columns: columns, width: width, ink: ink).lines(rows)
        let legend = Self.explained.filter { note in notes.contains { $0.contains(note.name) } }
        let lines = ["\(count), \(Quantity.bytes(total))"] + legend.map { "\($0.name): \($0.meaning)" }
        return (table + lines.map { ink(.dim, $0) }).joined(separator: "\n")
    }

    /// The notes whose names do not say it all, and the tags that they stand for.
    private static let explained: [(tag: String?, name: String, meaning: String)] = [
        ("release-file", "of a release", "a file of a signed manifest"),
        ("snapshot", "snapshot", "a page that opens with the files that it was fetched with"),
        (
            "set-aside", "earlier version",
            "for pages that were last shown with it, while their server does not answer"
        ),
        (nil, "pinned", "preloaded, and kept when the store is full"),
    ]

    private static let notesWidth = 24

    /// The largest unit alone: a list is read across.
    static func age(_ instant: Double, _ now: Double) -> String {
        let seconds = max(0, now - instant)
        guard seconds.isFinite, seconds < 1e12 else { return Quantity.missing }
        let age = Duration.seconds(Int64(seconds))
        if ReadableDuration.isForEver(age) { return "> 50 years" }
        let text = ReadableDuration.text(age)
        return text.split(separator: " ").prefix(2).joined(separator: " ")
    }

    private static func notes(_ item: StoredItem, _ now: Double) -> String {
        // `store show` has the hash.
        let tags = item.tags.filter { !$0.hasPrefix("content-sha256:") && $0 != "visited-file" }
        var notes = tags.map { tag in explained.first { $0.tag == tag }?.name ?? "#" + tag }
        if let fields = item.nominatedFields { notes.append("for " + fields.map(short).joined(separator: ", ")) }
        if let part = item.partial { notes.append("partial: " + part) }
        if item.pins > 0 { notes.append("pinned") }
        if let expires = item.expires, expires <= now { notes.append("expired") }
        return notes.joined(separator: " ")
    }

    /// Some fields, such as Cookie, are longer than a line: their beginning tells that there is one.
    private static func short(_ field: String) -> String {
        let field = TerminalText.clean(field)
        return field.hasSuffix(":") ? "no " + field.dropLast() : TerminalText.shortened(field, to: 40)
    }
}
