import Dashboard
import HTTPCacheSemantics

extension Audit {
    /// A table of files and moments, then what is wrong, then the lines for servers.
    package func text(colours: Bool, width: Int?) -> String {
        let ink = TerminalInk(isOn: colours)
        var lines = [ink(.bold, TerminalText.clean(url)), "\(score) of 100", ""]
        let header = ["1 min", "1 day", "1 week", "deploy", "offline", "size"]
        let rows = files.map { file in
            [
                file.minute.rawValue, file.day.rawValue, file.week.rawValue,
                file.deploy == .named ? "–" : file.deploy.rawValue, file.offline.rawValue,
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
            let url = address(file.url)
            lines.append(
                fit(cells) { ["fetched", "failed", "old", "missing"].contains($0) } + "  "
                    + TerminalText.clean(room.map { TerminalText.shortenedInside(url, to: $0) } ?? url))
        }
        lines += [
            "",
            "stored: from the store; behind: from the store, and the server is asked meanwhile; asked: the server is asked,",
            "and says that it holds; fetched: whole from the server; old: what was there before the deploy is shown.",
        ]
        lines += section("What is wrong", problems, ink)
        lines += section("For nginx", nginx, ink) + section("For Caddy", caddy, ink)
        return lines.joined(separator: "\n")
    }

    private func section(_ title: String, _ lines: [String], _ ink: TerminalInk) -> [String] {
        lines.isEmpty ? [] : ["", ink(.bold, title)] + lines.map { "  " + TerminalText.clean($0) }
    }

    /// Mistakes and missing files, those that concern the most files first.
    private var problems: [String] {
        // One sentence for each kind of mistake, although each file has figures of its own.
        var (order, urls, first) = ([String](), [String: [String]](), [String: String]())
        for file in files {
            let mistakes = file.mistakes.filter {
                file.notStored == nil || !["no-store", "vary-star"].contains($0.name)
            }
            let named = mistakes.map { mistake in (mistake.name, mistake.words) }
            for (name, words) in [file.notStored].compactMap({ $0 }).map({ ($0, $0) }) + named {
                let known = first[name] ?? words
                first[name] = known
                if urls[known] == nil { order.append(known) }
                urls[known, default: []].append(address(file.url))
            }
            if let control = file.cacheControl {
                let words = "send 'Cache-Control: \(control)'"
                if urls[words] == nil { order.append(words) }
                urls[words, default: []].append(address(file.url))
            }
        }
        return order.map { ($0, urls[$0] ?? []) }.sorted { $0.1.count > $1.1.count }.map { words, urls in
            let rest = urls.count > 5 ? " and \(urls.count - 5) more" : ""
            return "\(urls.prefix(5).joined(separator: ", "))\(rest): \(words)"
        }
    }

    /// An address of the page's origin without that.
    private func address(_ url: String) -> String {
        guard let own = TargetURI.split(self.url), let parts = TargetURI.split(url), own.scheme == parts.scheme,
            own.authority == parts.authority
        else { return url }
        return parts.path
    }
}
