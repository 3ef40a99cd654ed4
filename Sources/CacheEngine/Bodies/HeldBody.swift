import HTTPCacheSemantics
import HTTPTypes
import Locking

/// Content whose beginning has come before anybody gets its head: until then a stored response can answer in its place.
final class HeldBody: BodySource {
    private struct State {
        var pieces: [[UInt8]] = []
        var hasEnded = false
        /// The piece that was waited for in vain.
        var awaited: Task<[UInt8]?, any Error>?
    }

    private let source: any BodySource
    private let state: LockedBox<State>
    /// Whether it stopped before enough had come. It goes on as it comes.
    let isLate: Bool

    /// Waits for some of the content.
    ///
    /// - Parameters:
    ///   - first: The longest wait for the first kibibyte; a server that sends less counts as silent.
    ///   - time: The longest wait for each other one.
    ///   - most: The longest wait in all; `nil` for none.
    init(
        _ source: any BodySource, _ part: HeldPart, first: Duration, time: Duration, most: Duration?, clock: EngineClock
    ) async throws {
        let start = clock.uptime()
        let last = most.map { start + $0 }
        var (state, count) = (State(), Int64(0))
        var (limit, renewed, settles) = (start + first, Int64(0), start)
        while !state.hasEnded, count < HeldPart.most,
            state.pieces.isEmpty || count < part.enough || clock.uptime() < settles
        {
            let next = Task { try await source.next() }
            guard let result = try await next.result(within: min(limit, last ?? limit) - clock.uptime(), clock) else {
                state.awaited = next
                break
            }
            let piece = try result.get()
            state.hasEnded = piece == nil
            if state.pieces.isEmpty { settles = clock.uptime() + part.settling }
            if let piece { state.pieces.append(piece) }
            count += Int64(piece?.count ?? 0)
            if count - renewed >= 1_024 { (limit, renewed) = (clock.uptime() + time, count) }
        }
        (self.source, isLate) = (source, state.awaited != nil)
        state.pieces.reverse()
        self.state = LockedBox(state)
    }

    var trailers: HTTPFields? { source.trailers }

    func next() async throws -> [UInt8]? {
        let (piece, awaited, hasEnded) = state.withLock { state in
            let piece = state.pieces.popLast()
            return (piece, piece == nil ? state.awaited.take() : nil, state.hasEnded)
        }
        if let piece { return piece }
        if let awaited {
            return try await withTaskCancellationHandler {
                try await awaited.value
            } onCancel: {
                awaited.cancel()
            }
        }
        return hasEnded ? nil : try await source.next()
    }

    func cancel() {
        state.withLock { state in
            state.pieces = []
            state.awaited?.cancel()
        }
        source.cancel()
    }
}

/// How much of a response's content has to come before a stored one can't answer in its place any more.
struct HeldPart {
    /// More is not held, in bytes.
    static let most: Int64 = 1_048_576
    /// The tag of a stored page or data whose content paused: its server makes it bit by bit.
    static let pausingTag = "pauses"

    /// In bytes; all where there is less.
    var enough = Int64.max
    /// The time after the first piece in which a page's server must not stop, even if enough has come.
    var settling = Duration.zero

    /// - Returns: `nil` for content that is of use while it comes, such as film.
    init?(of head: HTTPResponse, fallback: StoredResponse?) {
        guard head.status.kind == .successful, let type = head.headerFields.mediaType else { return nil }
        let pauses = fallback?.tags.contains(Self.pausingTag) == true
        if Self.isPage(type) {
            // Pages that are made bit by bit are shown so. Each other one has to come as far as the initial window of
            // TCP (RFC 6928 §2), which a server sends at once, and must not stop right behind it.
            (enough, settling) = pauses ? (1, .zero) : (14_600, .milliseconds(100))
        } else if Self.isData(type) {
            guard !pauses else { return nil }
        } else {
            // Web views need all of it before they use it, or show a part of it for good.
            switch MediaTypeKind(type) {
            case .javaScript, .font, .sniffed("image"), .other("text/css"): break
            default: return nil
            }
        }
    }

    /// Whether content of this type may be of use while it comes: pages are shown so, and scripts read
    /// data so.
    static func mayPause(_ type: String) -> Bool { isPage(type) || isData(type) }

    private static func isPage(_ type: String) -> Bool { type == "text/html" || type == "application/xhtml+xml" }

    private static func isData(_ type: String) -> Bool { MediaTypeKind(type) == .json }
}
