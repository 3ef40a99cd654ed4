import Dashboard
import HTTPCacheSemantics

extension Audit {
    /// A table of files and moments, then what is wrong, then the lines for servers.
    package func text(colours: Bool, width: Int?) -> String {
        let ink = TerminalInk(isOn: colours)
        let broken = files.count(where: \.isBroken)
        let missing =
            broken == 0
            ? "" : ink(.red, "; \(broken) of \(files.count) files did not come, or not as the page needs them")
        let reasons = limits.map { ink(.red, "; capped at \($0.most), as \($0.words)") }.joined()
        var lines = [ink(.bold, TerminalText.clean(url)), "\(score) of 100 points\(reasons)\(missing)", ""]
        let header = ["1 min", "1 day", "1 week", "deploy", "offline", "size"]
        let rows = files.map { file in
            [
                file.minute.rawValue, file.day.rawValue, file.week.rawValue,
                file.deploy == .named || file.isBroken ? "–" : file.deploy.rawValue,
                file.isBroken && file.offline == .there ? "–" : file.offline.rawValue,
                file.bytes > 0 ? "\(ByteCount(file.bytes))" : "",
            ]
        }
        let widths = header.indices.map { column in
            (rows + [header]).map { TerminalText.width($0[column]) }.max() ?? 0
        }
        let room = width.map { max(20, $0 - widths.reduce(0) { $0 + $1 + 2 } - 2) }
        func fit(_ cells: [String], _ isBad: (String) -> Bool) -> String {
            cells.indices.map { column in
                let cell = TerminalText.fit(cells[column], to: widths[column], rightAligned: column == 5)
                return isBad(cells[column]) ? ink(.red, cell) : cell
            }.joined(separator: "  ")
        }
        lines.append(ink(.bold, fit(header) { _ in false } + "  URL"))
        for (file, cells) in zip(files, rows) {
            let url = AddressesByWords.address(file.url, on: self.url)
            lines.append(
                fit(cells) { ["fetched", "failed", "old", "missing"].contains($0) } + "  "
                    + TerminalText.clean(room.map { TerminalText.shortenedInside(url, to: $0) } ?? url))
        }
        lines += [
            "",
            "stored: from the store. behind: from the store, and the server is asked meanwhile. asked: the server is",
            "asked, and confirms what is stored. fetched: whole from the server. failed: no answer. deploy: which",
            "content is shown a minute later, when the server has another; –: it has another name then, or did not",
            "come. offline: whether it is there.",
        ]
        if hasSnapshot {
            lines += [
                "",
                "A rule gives the page a snapshot. The table shows its first visits: later ones have the page and its",
                "files from the store, and are of the new release once all of that has come.",
            ]
        }
        lines += sentences("What is wrong", problems, ink, width)
        lines += section("For nginx", nginx, ink) + section("For Caddy", caddy, ink)
        return lines.joined(separator: "\n")
    }

    private func section(_ title: String, _ lines: [String], _ ink: TerminalInk) -> [String] {
        lines.isEmpty ? [] : ["", ink(.bold, title)] + lines.map { "  " + TerminalText.clean($0) }
    }

    private func sentences(_ title: String, _ lines: [String], _ ink: TerminalInk, _ width: Int?) -> [String] {
        guard let width else { return section(title, lines, ink) }
        let wrapped = lines.flatMap { line in
            TerminalText.wrapped(TerminalText.clean(line), to: max(width - 5, 20)).enumerated().map { index, piece in
                (index == 0 ? "· " : "  ") + piece
            }
        }
        return lines.isEmpty ? [] : ["", ink(.bold, title)] + wrapped
    }

    /// Mistakes and missing files, those that concern the most files first.
    private var problems: [String] {
        var found = AddressesByWords(page: url)
        for file in files {
            // The advised field is the cure.
            let reason = file.advisedCacheControl == nil ? file.notStored : nil
            let mistakes = file.mistakes.filter { reason == nil || !["no-store", "vary-star"].contains($0.name) }
            if let reason { found.note(reason, file.url) }
            for mistake in mistakes { found.note(mistake.words, file.url) }
            if file.status >= 400 { found.note("status \(file.status)", file.url) }
            if let control = file.advisedCacheControl { found.note("send 'Cache-Control: \(control)'", file.url) }
        }
        return found.lines
    }
}
