import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// Content that goes on where its connection broke off: its origin is asked once more.
///
/// RFC 9110 §9.2.2 lets a client repeat a GET by itself. It "SHOULD NOT automatically retry a failed automatic retry":
/// here up to three fail before the content does, as a network that loses one connection of three would else cost a
/// page each ninth of its files. Each 16 KiB begin the count anew, so that a server that always breaks off is not asked
/// for ever. Under a strong entity tag, of content without coding, the rest is requested (§13.1.5); otherwise the
/// whole, whose head must say the same and whose beginning must have the SHA-256 of what has come: the client has the
/// first head.
final class ContinuedBody: BodySource {
    /// Sends the request with these fields in place of its conditions and its range.
    typealias Ask = @Sendable (HTTPFields) async throws -> TransportResponse

    private struct State {
        var source: any BodySource
        /// Bytes that have come, and their hash where there is no strong tag.
        var received: Int64 = 0
        var hasher: SHA256Hasher?
        /// The bytes behind them in a response that has come once more.
        var next: [UInt8]?
        var attemptsLeft = ContinuedBody.attempts
        var renewsAt = ContinuedBody.renewing
        var asking: Task<TransportResponse, any Error>?
        var isCancelled = false
    }

    private static let attempts = 3
    /// In bytes.
    private static let renewing: Int64 = 16_384

    private let head: HTTPResponse
    private let length: Int64?
    /// The part of the representation that the response is.
    private let place: ContentRange?
    private let tag: String?
    private let isShared: Bool
    private let ask: Ask
    private let state: LockedBox<State>

    /// - Parameter isShared: Whether the body is read from a ``SpooledBody``, whose own source goes on by itself: then
    ///   the rest is requested where the reader was left behind, under a strong tag.
    /// - Returns: `nil` for a response that can't be continued: another status than 200 and 206, several parts, or a
    ///   part without a strong tag.
    init?(_ response: TransportResponse, isShared: Bool = false, ask: @escaping Ask) {
        (head, length, self.isShared, self.ask) = (response.head, response.bodyLength, isShared, ask)
        tag = head.headerFields[.eTag].flatMap {
            EntityTag($0)?.isWeak == false && !response.head.headerFields.contains(.contentEncoding) ? $0 : nil
        }
        place = head.headerFields[.contentRange].flatMap { ContentRange($0) }
        switch head.status {
        case .ok where place == nil && (tag != nil || !isShared): break
        case .partialContent where place != nil && tag != nil: break
        default: return nil
        }
        state = LockedBox(State(source: response.body, hasher: tag == nil ? SHA256Hasher() : nil))
    }

    var trailers: HTTPFields? { state.withLock { $0.source }.trailers }

    /// The length of the content; `nil` if it is not known.
    private var count: Int64? { place.map { $0.range.upperBound - $0.range.lowerBound } ?? length }

    func next() async throws -> [UInt8]? {
        while true {
            let (source, kept) = state.withLock { state in
                defer { state.next = nil }
                return (state.source, state.next)
            }
            do {
                let piece = if let kept { kept } else { try await source.next() }
                if let piece, !piece.isEmpty {
                    state.withLock { state in
                        state.received &+= Int64(piece.count)
                        state.hasher?.update(piece)
                        if state.received >= state.renewsAt {
                            (state.attemptsLeft, state.renewsAt) = (Self.attempts, state.received &+ Self.renewing)
                        }
                    }
                }
                return piece
            } catch  where isBroken(error) {
                if let count, state.withLock({ $0.received }) >= count { return nil }
                guard await goesOn() else { throw error }
            }
        }
    }

    func cancel() {
        let (source, asking) = state.withLock { state in
            state.isCancelled = true
            return (state.source, state.asking)
        }
        source.cancel()
        asking?.cancel()
    }

    /// Asks for the rest, and makes it the source.
    private func goesOn() async -> Bool {
        let (received, digest, isOver) = state.withLock { state in
            state.attemptsLeft -= 1
            return (state.received, state.hasher?.digest(), state.attemptsLeft < 0 || state.isCancelled)
        }
        guard !isOver, !Task.isCancelled else { return false }
        // Less than the end, which `next()` has looked at.
        let next = (place?.range.lowerBound ?? 0) &+ received
        let conditions = conditions(from: next)
        let asking = Task { try await ask(conditions) }
        let isLate = state.withLock { state in
            state.asking = asking
            return state.isCancelled
        }
        if isLate { asking.cancel() }
        let answer = await withTaskCancellationHandler {
            await asking.result
        } onCancel: {
            asking.cancel()
        }
        let response: TransportResponse
        do { response = try answer.get() } catch { return await isBroken(error) ? goesOn() : false }
        let rest = ContentRange(
            ofRestIn: response.head, bodyLength: response.bodyLength, from: next, of: head.headerFields,
            completeLength: place?.completeLength ?? length, end: place?.range.upperBound)
        let stated = rest.map { $0.range.upperBound - next } ?? response.bodyLength
        let source = stated.map { FramedBody(response.body, length: $0) } ?? response.body
        let isCancelled = state.withLock { state in
            state.source = source
            return state.isCancelled
        }
        guard !isCancelled, rest != nil || place == nil && isSame(response) else {
            source.cancel()
            return false
        }
        if rest != nil { return true }
        do { return try await skips(received, of: source, digest) } catch {
            return await isBroken(error) ? goesOn() : false
        }
    }

    private func isBroken(_ error: any Error) -> Bool {
        isShared ? error is LeftBehind : (error as? TransportError)?.code == .closedEarly
    }

    /// The fields that ask for the rest; none for the whole.
    private func conditions(from next: Int64) -> HTTPFields {
        guard let tag, place != nil || next > 0 else { return [:] }
        // A part to the end is continued as one.
        let last = place.flatMap { $0.range.upperBound == $0.completeLength ? nil : $0.range.upperBound - 1 }
        let range = "bytes=\(next)-\(last.map(String.init) ?? "")"
        return [.range: range, .ifRange: tag, .acceptEncoding: "identity"]
    }

    /// Whether a whole response says that it is the same: its beginning is compared besides, unless its tag is strong.
    private func isSame(_ response: TransportResponse) -> Bool {
        response.head.status == .ok && response.bodyLength == length
            && Self.meaning(response.head.headerFields) == Self.meaning(head.headerFields)
    }

    /// The fields without those that differ from answer to answer: times, connections, and what traces a request.
    private static func meaning(_ fields: HTTPFields) -> [String: [String]] {
        var known: [String: [String]] = [:]
        for field in fields {
            let name = field.name.canonicalName
            let isTrace = name.hasPrefix("x-") || name.hasPrefix("cf-") || name.hasSuffix("-id")
            guard meaningful.contains(name) || !isTrace && !passing.contains(name) else { continue }
            known[name, default: []].append(field.value)
        }
        return known
    }

    private static let meaningful: Set = ["x-content-type-options", "x-frame-options", "x-xss-protection"]
    private static let passing: Set = [
        "age", "alt-svc", "connection", "date", "expires", "keep-alive", "nel", "report-to", "server", "server-timing",
        "transfer-encoding", "via",
    ]

    /// Reads what has come already.
    ///
    /// - Parameter digest: Its hash; `nil` for content that is not compared.
    private func skips(_ count: Int64, of source: any BodySource, _ digest: BodyDigest?) async throws -> Bool {
        var (left, hasher) = (count, SHA256Hasher())
        while left > 0 {
            guard let piece = try await source.next() else { return false }
            let taken = Int(min(left, Int64(piece.count)))
            if digest != nil { hasher.update(Array(piece.prefix(taken))) }
            left -= Int64(taken)
            if taken < piece.count { state.withLock { $0.next = Array(piece.dropFirst(taken)) } }
        }
        guard digest == nil || hasher.digest() == digest else {
            source.cancel()
            return false
        }
        return true
    }
}
