import CacheEngine

/// A stored response in full, but for its content, for a terminal.
///
/// Nothing in the text from outside can move the cursor or change colours.
package struct StoredDetailText {
    private let detail: StoredDetail
    private let now: Double
    private let ink: TerminalInk

    /// - Parameters:
    ///   - now: Seconds since the Unix epoch, from which ages are counted.
    ///   - colours: Whether to send colours; without them the text is plain.
    package init(_ detail: StoredDetail, now: Double, colours: Bool) {
        (self.detail, self.now) = (detail, now)
        ink = TerminalInk(isOn: colours)
    }

    /// The whole text, without a line break at its end.
    package func render() -> String {
        let item = detail.item
        var rows: [(String, String)] = [
            ("size", "\(Quantity.bytes(item.size)), of which \(Quantity.bytes(item.contentSize)) content"),
            ("content", detail.extent == "complete" ? "all of it" : detail.extent), ("SHA-256", detail.digest),
            ("stored", "\(age(item.storedAt)) ago, after \(Quantity.milliseconds(detail.responseDelay))"),
            ("last used", "\(StoredItemsText.age(item.lastUsed, now)) ago"),
        ]
        if !item.account.isEmpty { rows.append(("account", item.account)) }
        if !detail.nominatedFields.isEmpty {
            rows.append(("selected by", detail.nominatedFields.joined(separator: ", ")))
        }
        if detail.needsValidation { rows.append(("validation", "needed: the origin has shown another state")) }
        if item.pins > 0 { rows.append(("pins", "\(item.pins)")) }
        if !item.tags.isEmpty { rows.append(("tags", item.tags.joined(separator: ", "))) }
        if let expires = item.expires {
            rows.append(("expires", expires <= now ? "\(age(expires)) ago" : "in \(age(now - (expires - now)))"))
        }
        let heading = ink(.bold, TerminalText.clean(item.url))
        let label = (rows.map(\.0.count).max() ?? 0) + 2
        let lines = rows.map { ink(.dim, TerminalText.fit($0.0, to: label)) + TerminalText.clean($0.1) }
        let fields = detail.fields.map { pair in
            ink(.cyan, TerminalText.clean(pair.first ?? "")) + ": " + TerminalText.clean(pair.last ?? "")
        }
        return ([heading] + lines + ["", "\(detail.status)"] + fields).joined(separator: "\n")
    }

    private func age(_ instant: Double) -> String {
        let seconds = max(0, now - instant)
        return seconds < 1e12 ? ReadableDuration.text(.seconds(Int64(seconds))) : Quantity.missing
    }
}
