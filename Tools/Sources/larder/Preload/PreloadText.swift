import Dashboard
import HTTPCacheSemantics
import LarderHost
import Manifests
import Preloading

/// The result of a preload, for people and as JSON.
struct PreloadText {
    /// The number of refused or waiting URLs that are shown; the JSON has all.
    private static let shown = 20

    private let outcome: PreloadRun.Outcome
    private var manifest: PreloadRequest.Manifest?

    /// Whether the files that pages name were asked for.
    private let withFiles: Bool

    init(_ outcome: PreloadRun.Outcome, manifest: PreloadRequest.Manifest?, withFiles: Bool) {
        (self.outcome, self.withFiles) = (outcome, withFiles)
        self.manifest = manifest
        if let id = outcome.manifestID { self.manifest?.id = id }
    }

    func render() -> String {
        var lines: [String] = []
        if let problem = outcome.manifestProblem {
            let held = outcome.shownSerial.map { " Serial \($0) stays in force, with what is stored of it." } ?? ""
            let cure = problem.code == .refused(.wrongID) ? " Name it with --id." : ""
            lines.append("no newer manifest: \(problem)\(cure)\(held)")
        } else if let update = outcome.manifest, let manifest {
            lines.append(Self.words(update, manifest))
        }
        let summary = outcome.summary
        let off = outcome.refused.count { $0.refusal == .turnedOff }
        if summary.items > off {
            var parts: [String] = []
            if let count = outcome.sources[.network] {
                parts.append("\(count) fetched (\(summary.transferred))")
            }
            if let count = outcome.sources[.validated] { parts.append("\(count) confirmed by the server") }
            if let count = outcome.sources[.store] { parts.append("\(count) stored before") }
            let how = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
            // An earlier one may be there, too.
            let state = summary.verified < summary.items ? "up to date in" : "in"
            let held = summary.waiting[.incompleteRelease] ?? 0
            let rest = held > 0 ? "; \(held) have come and wait for the rest" : ""
            lines.append("\(summary.verified) of \(summary.items) are \(state) the store\(how)\(rest)")
        }
        lines += Self.cut(
            outcome.refused.filter { $0.refusal != .turnedOff }.map { item, refusal in
                "  \(refusal.reason == .network ? "failed" : "refused")  \(item.url)  \(refusal)"
            })
        lines += Self.cut(
            outcome.waiting.filter { $0.wait.reason != .incompleteRelease }.map { item, wait in
                let until = wait.until.map { ", until \(UTCTime.text($0))" } ?? ""
                return "  waiting  \(item.url)  \(wait.reason.rawValue)\(until)"
            })
        if outcome.waiting.contains(where: { $0.wait.reason == .network }) {
            lines.append(
                "A server can't be reached, or sent nothing for \(Int(PreloadRun.answerLimit / .seconds(1))) "
                    + "seconds; run it again for what waits.")
        }
        lines += Self.cut(outcome.unstored.map { "  not stored  \($0.url)  \($0.reason.words)" })
        if !outcome.turnedOff.isEmpty {
            let files =
                off > 0 ? "; no file of it is fetched (\(off) in all), and what is stored stays and is not used" : ""
            let names = outcome.turnedOff.map { $0 == "*" ? "everything" : $0 }.joined(separator: ", ")
            lines.append("turned off: \(names)\(files)")
        }
        // Nothing of what is turned off opens offline.
        guard off == 0 else { return Self.cleaned(lines) }
        if let line = offlineLine { lines.append(line) }
        var seen: Set<String> = []
        let missing = outcome.offline.lacking.flatMap(\.missing).filter { seen.insert($0.url).inserted }
        lines += Self.cut(missing.map { "  lacks  \($0.url)  \($0.message)" })
        let isUnknown = missing.contains { $0.message == OfflinePages.Missing.absent }
        if isUnknown, manifest == nil, !withFiles { lines.append("--with-files fetches what the pages name.") }
        if withFiles, summary.items >= 1_000 { lines.append("No more than 1,000 files of a list are fetched so.") }
        if withFiles, outcome.offline.opening > 0 {
            lines.append("No script ran; --rendering also stores what scripts fetch, where the rules let it be stored.")
        }
        return Self.cleaned(lines)
    }

    private static func cleaned(_ lines: [String]) -> String {
        lines.map { TerminalText.clean($0) }.joined(separator: "\n")
    }

    /// Such as `in force, opens offline: 12 pages; /docs/ lacks /main.js?3f2a (listed as /main.js)`.
    private var offlineLine: String? {
        let offline = outcome.offline
        guard offline.opening + offline.lacking.count > 0 else { return nil }
        var parts = ["\(Self.force(outcome))opens offline: \(Self.count(offline.opening))"]
        for page in offline.lacking.prefix(3) {
            let missing = page.missing.prefix(3).map { missing in
                let listed = missing.listedAs.map { " (listed as \(Self.path($0, on: page.url)))" } ?? ""
                return missing.url == page.url ? "the page itself" : Self.path(missing.url, on: page.url) + listed
            }
            let more = page.missing.count > missing.count ? " and \(page.missing.count - missing.count) more" : ""
            parts.append("\(Self.path(page.url, on: page.url)) lacks \(missing.joined(separator: ", "))\(more)")
        }
        if offline.lacking.count > 3 { parts.append("\(Self.count(offline.lacking.count - 3)) more lack something") }
        return parts.joined(separator: "; ")
    }

    /// Which release pages see.
    private static func force(_ outcome: PreloadRun.Outcome) -> String {
        guard let serial = outcome.manifest?.serial, let shown = outcome.shownSerial else {
            let isHeld = outcome.waiting.contains { $0.wait.reason == .incompleteRelease }
            return isHeld ? "the version before stays until all is there; " : ""
        }
        return shown == serial
            ? "in force, " : "serial \(shown) stays in force until all of serial \(serial) is there; "
    }

    private static func count(_ pages: Int) -> String { pages == 1 ? "1 page" : "\(pages) pages" }

    /// The path of a URL, or all of it where it is of another origin.
    private static func path(_ url: String, on page: String) -> String {
        TargetURI.haveSameOrigin(url, page) ? TargetURI.split(url)?.path ?? url : url
    }

    private static func words(_ update: ManifestUpdate, _ manifest: PreloadRequest.Manifest) -> String {
        let name = "\(manifest.id), serial \(update.serial)\(update.isUnchanged ? " as before" : "")"
        let unsigned = manifest.trust == .server ? "; no --key was given, so no signature was checked" : ""
        switch update.outcome {
        case .queued(let release, let files, let size):
            return "\(name): release \(release), \(files) files, \(size)\(unsigned)"
        case .held(let refusal): return "\(name): nothing is fetched, and what is held stays: \(refusal)"
        case .notYet: return "\(name): no release is rolled out to this installation yet; what is held stays"
        case .unpinned(let refusal): return "\(name): what it had pinned is let go: \(refusal)"
        }
    }

    private static func cut(_ lines: [String]) -> [String] {
        lines.count <= shown ? lines : lines.prefix(shown) + ["  … and \(lines.count - shown) more; --json shows all"]
    }

    // MARK: JSON

    struct Line: Encodable {
        struct Manifest: Encodable {
            var id: String
            var signatureChecked: Bool
            var serial: Int64?
            /// The release that pages see: a newer one takes its place once all of it is there.
            var serialInForce: Int64?
            var unchanged: Bool?
            /// `queued`, `held`, `not-yet`, `unpinned`, or `refused`.
            var outcome: String
            var release: String?
            var files: Int?
            var bytes: Int64?
            /// The name of a refusal.
            var reason: String?
            var message: String?
        }

        struct Problem: Encodable {
            var url: String
            var reason: String
            var message: String?
            var until: String?
        }

        /// Whether all that was asked for is in the store.
        var complete: Bool
        var manifest: Manifest?
        var items: Int
        var stored: Int
        var fetched: Int
        var confirmed: Int
        var storedBefore: Int
        /// Bytes of content that came from the network.
        var transferred: Int64
        var refused: [Problem]
        var waiting: [Problem]
        /// Asked for by a page that was loaded whole.
        var notStored: [Problem]
        /// Why the links of a page could not be had, a sentence for each.
        var failedLinkPages: [String]
        /// Modes and hosts that the manifests turn off.
        var turnedOff: [String]
        /// The listed pages without a network.
        var offline: OfflinePages
    }

    var line: Line {
        Line(
            complete: outcome.isComplete, manifest: manifest.map { manifestLine($0) }, items: outcome.summary.items,
            stored: outcome.summary.verified, fetched: outcome.sources[.network] ?? 0,
            confirmed: outcome.sources[.validated] ?? 0, storedBefore: outcome.sources[.store] ?? 0,
            transferred: outcome.summary.transferred.bytes,
            refused: outcome.refused.map {
                .init(url: $0.item.url, reason: $0.refusal.reason.rawValue, message: $0.refusal.message)
            },
            waiting: outcome.waiting.map {
                .init(url: $0.item.url, reason: $0.wait.reason.rawValue, until: $0.wait.until.map { UTCTime.text($0) })
            },
            notStored: outcome.unstored.map {
                .init(url: $0.url, reason: $0.reason.rawValue, message: $0.reason.words)
            }, failedLinkPages: outcome.failedLinkPages.map(\.message), turnedOff: outcome.turnedOff,
            offline: outcome.offline)
    }

    private func manifestLine(_ manifest: PreloadRequest.Manifest) -> Line.Manifest {
        var line = Line.Manifest(id: manifest.id, signatureChecked: manifest.trust != .server, outcome: "refused")
        line.serialInForce = outcome.shownSerial
        (line.serial, line.unchanged) = (outcome.manifest?.serial, outcome.manifest?.isUnchanged)
        switch outcome.manifest?.outcome {
        case .queued(let release, let files, let size)?:
            (line.outcome, line.release, line.files, line.bytes) = ("queued", release, files, size.bytes)
        case .held(let refusal)?:
            (line.outcome, line.reason, line.message) = ("held", "\(refusal.code)", refusal.message)
        case .notYet?: line.outcome = "not-yet"
        case .unpinned(let refusal)?:
            (line.outcome, line.reason, line.message) = ("unpinned", "\(refusal.code)", refusal.message)
        case nil:
            line.reason = outcome.manifestProblem.map { "\($0.code)" }
            line.message = outcome.manifestProblem?.message
        }
        return line
    }
}
