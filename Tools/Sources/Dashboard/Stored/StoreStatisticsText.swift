/// A store's statistics for a terminal: how much it holds, and of what.
///
/// Nothing in the text from outside can move the cursor or change colours.
package struct StoreStatisticsText {
    private let statistics: StoreStatistics
    private let ink: TerminalInk
    private let width: Int?

    /// So many hosts, types and accounts are named.
    private static let named = 10

    /// - Parameters:
    ///   - colours: Whether to send colours; without them the text is plain.
    ///   - width: The terminal's columns, of which at least 60 are used; `nil` where nothing is to be cut.
    package init(_ statistics: StoreStatistics, colours: Bool, width: Int?) {
        (self.statistics, self.width) = (statistics, width.map { max($0, 60) })
        ink = TerminalInk(isOn: colours)
    }

    /// The whole text, without a line break at its end.
    package func render() -> String {
        let heading = ink(.bold, TerminalText.clean(statistics.directory))
        let responses = statistics.responses == 1 ? "one response" : "\(statistics.responses) responses"
        let contents = statistics.contents == 1 ? "one content" : "\(statistics.contents) contents"
        var lines = [
            heading,
            "\(responses) with \(contents) of \(Quantity.bytes(statistics.contentBytes)); "
                + "\(Quantity.bytes(statistics.bytes)) with their heads",
            "\(Quantity.bytes(statistics.onDisk)) on the disk",
        ]
        if statistics.pinned > 0 { lines.append("\(statistics.pinned) pinned") }
        lines += statistics.releases.map { TerminalText.clean(Self.words($0)) }
        if !statistics.turnedOff.isEmpty {
            let names = statistics.turnedOff.joined(separator: ", ")
            lines.append(TerminalText.clean("turned off by a manifest, and not used: \(names)"))
        }
        // Without any account there is nothing to tell apart.
        let accounts =
            statistics.accounts.contains { $0.name != StoreStatistics.nobody }
            ? section("accounts", statistics.accounts) : []
        lines += section("hosts", statistics.hosts) + section("types", statistics.types) + accounts
        if !statistics.distrustedHosts.isEmpty {
            lines += [
                "",
                ink(.red, "Other bytes came under a hashed name from: ")
                    + statistics.distrustedHosts.map(TerminalText.clean).joined(separator: ", "),
            ]
        }
        return lines.joined(separator: "\n")
    }

    private static func words(_ release: StoreStatistics.Release) -> String {
        if let problem = release.problem { return "manifest \(release.manifest): \(problem)" }
        let shown = release.inForce > 0 ? "serial \(release.inForce) is in force" : "no release is in force yet"
        let isBehind = release.accepted != release.inForce
        return "manifest \(release.manifest): \(shown)" + (isBehind ? "; serial \(release.accepted) is accepted" : "")
    }

    private func section(_ title: String, _ shares: [StoreStatistics.Share]) -> [String] {
        guard !shares.isEmpty else { return [] }
        let largest = max(1, shares[0].bytes)
        let rows = shares.prefix(Self.named).map { share in
            [
                Quantity.bytes(share.bytes), "\(share.responses)",
                String(repeating: "━", count: max(1, Int(Double(share.bytes) / Double(largest) * 20))), share.name,
            ]
        }
        let table = TextTable(
            columns: [
                .init(title: "size", isRightAligned: true), .init(title: "responses", isRightAligned: true),
                .init(title: ""), .init(title: title),
            ], width: width, ink: ink)
        let more = shares.count - rows.count
        return [""] + table.lines(rows) + (more > 0 ? [ink(.dim, "and \(more) more")] : [])
    }
}
