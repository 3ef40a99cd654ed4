import Dashboard
import Foundation
import HTTPCacheSemantics
import LarderHost
import Locking
import Preloading

/// One line on a terminal that says how far a preload has come; nothing elsewhere.
final class PreloadProgress: Sendable {
    private struct State {
        var total = 0
        var ended = 0
        var refused = 0
        var bytes: Int64 = 0
        var shown = 0
        /// Ended items when the line was drawn last.
        var drawnAt = -1
        /// Hosts that were asked and have not answered yet, with how many items each.
        var asked: [String: Int] = [:]

        mutating func ended(_ item: PreloadItem) {
            ended += 1
            answered(item)
        }

        mutating func answered(_ item: PreloadItem) {
            let host = Self.host(of: item)
            asked[host] = asked[host].flatMap { $0 > 1 ? $0 - 1 : nil }
        }

        static func host(of item: PreloadItem) -> String { TargetURI.split(item.url)?.authority ?? item.url }
    }

    private static let width = 24
    private let state = LockedBox(State())
    private let isShown = isatty(STDERR_FILENO) == 1

    /// The manifest is asked for first.
    func begin(_ manifest: String) {
        guard isShown, let host = TargetURI.split(manifest)?.authority else { return }
        write("\r" + TerminalText.clean("preload  \(Self.waiting(for: host, PreloadRun.headLimit))") + "\u{1B}[K")
    }

    func note(_ event: PreloadEvent) {
        guard isShown else { return }
        let line = state.withLock { state -> String? in
            switch event {
            case .queued(_, let count): state.total += count
            case .verified(let item, _, _, let transferred):
                state.ended(item)
                state.bytes += transferred
            case .refused(let item, _, _):
                state.ended(item)
                state.refused += 1
            case .started(let item, _):
                state.asked[State.host(of: item), default: 0] += 1
                // Once something has come, how much has is told instead.
                if state.ended == 0 { state.drawnAt = -1 }
            case .waiting(let item, _, _): state.answered(item)
            case .done: state.drawnAt = -1
            }
            // Each percent once: a terminal is slower than the store.
            let percent = state.total > 0 ? state.ended * 100 / state.total : 0
            guard percent != state.drawnAt else { return nil }
            state.drawnAt = percent
            return Self.line(state)
        }
        if let line { write("\r" + line + "\u{1B}[K") }
    }

    /// Leaves an empty line for what comes next.
    func clear() { if isShown { write("\r\u{1B}[K") } }

    private static func line(_ state: State) -> String {
        let done = state.total > 0 ? min(width, state.ended * width / state.total) : 0
        let bar = String(repeating: "━", count: done) + String(repeating: "─", count: width - done)
        let refused = state.refused > 0 ? "  \(state.refused) refused" : ""
        var waiting = ""
        if state.ended == 0, let host = state.asked.keys.min() {
            waiting = "  " + Self.waiting(for: host, PreloadRun.answerLimit)
        }
        let line = "preload \(bar) \(state.ended)/\(state.total)  \(ByteCount(state.bytes))\(refused)\(waiting)"
        return TerminalText.clean(line)
    }

    private static func waiting(for host: String, _ limit: Duration) -> String {
        "waiting for \(host), at most \(Int(limit / .seconds(1))) s"
    }

    private func write(_ text: String) { StandardStream.note(Data(text.utf8)) }
}
