import Dashboard
import Foundation
import HTTPCacheSemantics
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
    }

    private static let width = 24
    private let state = LockedBox(State())
    private let isShown = isatty(STDERR_FILENO) == 1

    func note(_ event: PreloadEvent) {
        guard isShown else { return }
        let line = state.withLock { state -> String? in
            switch event {
            case .queued(_, let count): state.total += count
            case .verified(_, _, _, let transferred):
                state.ended += 1
                state.bytes += transferred
            case .refused:
                state.ended += 1
                state.refused += 1
            case .started, .waiting: return nil
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
        return "preload \(bar) \(state.ended)/\(state.total)  \(ByteCount(state.bytes))\(refused)"
    }

    private func write(_ text: String) { StandardStream.note(Data(text.utf8)) }
}
