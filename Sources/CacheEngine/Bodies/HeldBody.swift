import HTTPTypes
import Locking

/// Content whose beginning has come before anybody gets its head: until then a stored response can answer in its place.
final class HeldBody: TrailerSource {
    private struct State {
        var pieces: ArraySlice<[UInt8]>
        var hasEnded: Bool
    }

    private let source: any BodySource
    private let state: LockedBox<State>

    /// Waits for some of the content.
    ///
    /// - Parameters:
    ///   - length: How much, in bytes; less where it ends before.
    ///   - first: The longest wait for the first piece.
    ///   - time: The longest wait for each other one.
    /// - Throws: ``TransportError/Code/timedOut``, or the source's own error.
    init(
        _ source: any BodySource, holding length: Int64, first: Duration, time: Duration, clock: EngineClock
    ) async throws {
        var (pieces, count, hasEnded) = ([[UInt8]](), Int64(0), false)
        while count < length, !hasEnded {
            let piece = try await Self.piece(of: source, within: pieces.isEmpty ? first : time, clock)
            hasEnded = piece == nil
            if let piece { pieces.append(piece) }
            count += Int64(piece?.count ?? 0)
        }
        self.source = source
        state = LockedBox(State(pieces: pieces[...], hasEnded: hasEnded))
    }

    private enum Wait { case waiting, late, over }

    private static func piece(
        of source: any BodySource, within time: Duration, _ clock: EngineClock
    ) async throws -> [UInt8]? {
        let wait = LockedBox(Wait.waiting)
        let timer = Task {
            guard (try? await clock.sleep(time)) != nil else { return }
            let isLate = wait.withLock { wait -> Bool in
                guard case .waiting = wait else { return false }
                wait = .late
                return true
            }
            if isLate { source.cancel() }
        }
        defer { timer.cancel() }
        let piece: Result<[UInt8]?, any Error>
        do { piece = .success(try await source.next()) } catch { piece = .failure(error) }
        let isLate = wait.withLock { wait -> Bool in
            defer { wait = .over }
            if case .late = wait { return true } else { return false }
        }
        if isLate { throw TransportError(code: .timedOut, message: "The content did not come in time.") }
        return try piece.get()
    }

    var trailers: HTTPFields? { (source as? any TrailerSource)?.trailers }

    func next() async throws -> [UInt8]? {
        let (piece, hasEnded) = state.withLock { ($0.pieces.popFirst(), $0.hasEnded) }
        if let piece { return piece }
        return hasEnded ? nil : try await source.next()
    }

    func cancel() {
        state.withLock { $0.pieces = [] }
        source.cancel()
    }
}

extension HTTPResponse {
    /// How much of the content has to come before a stored response can't answer in its place any more, in bytes.
    ///
    /// A page of known length has to come as far as the initial window of TCP (RFC 6928 §2), which a server sends at once;
    /// any other page with its first byte, so that it is shown as it comes. A style or script has to come wholly, as web
    /// views need it before they use it, up to a mebibyte.
    var heldLength: Int64 {
        guard status.kind == .successful, let type = headerFields[.contentType]?.lowercased() else { return 0 }
        if type.hasPrefix("text/html") { return headerFields.contains(.contentLength) ? 14_600 : 1 }
        return type.hasPrefix("text/css") || type.contains("javascript") ? 1_048_576 : 0
    }
}
