import HTTPTypes
import Locking
import ResponseStore

/// A body of a stated length: an earlier end is an error (RFC 9112 §8), and bytes beyond it are cut off.
///
/// The stated length "defines the expected message body length in octets" (RFC 9112 §6.3), so content of that length is
/// whole and may be stored as such (RFC 9111 §3.3). Bytes that follow belong to no response: they must not be
/// processed, cached or forwarded as one (RFC 9112 §6.3), so the source is cancelled.
final class FramedBody: BodySource {
    private let source: any BodySource
    private let rest: LockedBox<Int64>
    /// Whether more than the stated length has come, and the source is cancelled.
    private let isOverrun = LockedBox(false)

    init(_ source: any BodySource, length: Int64) {
        self.source = source
        // A transport may pass on a negative length that it was told.
        rest = LockedBox(max(0, length))
    }

    func next() async throws -> [UInt8]? {
        let missing = rest.withLock { $0 }
        if isOverrun.withLock({ $0 }) { return nil }
        guard let bytes = try await source.next() else {
            guard missing == 0 else {
                throw TransportError(
                    code: .closedEarly, message: "The response ended before the length that the origin stated.")
            }
            return nil
        }
        let count = min(missing, Int64(bytes.count))
        rest.withLock { $0 -= count }
        guard count < bytes.count else { return bytes }
        isOverrun.withLock { $0 = true }
        source.cancel()
        // The source is cancelled, so that its connection, on which more bytes follow, is not used again. The next call
        // returns the end.
        return count == 0 ? nil : Array(bytes.prefix(Int(count)))
    }

    /// - Returns: `nil` if the sum overflows.
    static func sum(_ one: Int64, _ other: Int64) -> Int64? {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? nil : sum
    }

    var trailers: HTTPFields? { source.trailers }

    func cancel() { source.cancel() }
}

/// Bodies one after the other.
final class JoinedBody: BodySource {
    private let rest: LockedBox<[any BodySource]>

    init(_ sources: [any BodySource]) { rest = LockedBox(sources) }

    /// Regions of stored content.
    init(_ content: StoredContent, _ regions: [Range<Int64>]) {
        rest = LockedBox(regions.map { StoredBodySource(content, region: $0) })
    }

    func next() async throws -> [UInt8]? {
        while let source = rest.withLock({ $0.first }) {
            if let bytes = try await source.next() { return bytes }
            rest.withLock { if !$0.isEmpty { $0.removeFirst() } }
        }
        return nil
    }

    func cancel() {
        let sources = rest.withLock { sources in
            defer { sources = [] }
            return sources
        }
        for source in sources { source.cancel() }
    }
}

/// A body whose unverified end is an end to its reader, as it is to a web view without a cache.
///
/// RFC 9112 §9.8: "A response that has neither chunked transfer coding nor Content-Length is complete only if a valid
/// closure alert has been received"; many servers send none, and user agents show such responses all the same.
struct UnverifiedEnd: BodySource {
    private let source: any BodySource

    init(_ source: any BodySource) { self.source = source }

    static func isMeant(by error: any Error) -> Bool { (error as? TransportError)?.code == .endUnverified }

    func next() async throws -> [UInt8]? {
        do { return try await source.next() } catch  where Self.isMeant(by: error) { return nil }
    }

    var trailers: HTTPFields? { source.trailers }

    func cancel() { source.cancel() }
}

/// Reads a stored body, or a region of it, piece by piece.
final class StoredBodySource: BodySource {
    private static let pieceSize = 65_536
    private let content: StoredContent
    private let rest: LockedBox<Range<Int64>>

    init(_ content: StoredContent, region: Range<Int64>) {
        self.content = content
        rest = LockedBox(region)
    }

    func next() throws -> [UInt8]? {
        let region = rest.withLock { rest -> Range<Int64> in
            let end = min(rest.upperBound, rest.lowerBound + Int64(Self.pieceSize))
            defer { rest = end..<rest.upperBound }
            return rest.lowerBound..<end
        }
        guard !region.isEmpty else { return nil }
        switch content {
        case .bytes(let bytes):
            return Array(bytes[Int(region.lowerBound)..<Int(region.upperBound)])
        case .file(let file):
            let piece = try file.read(from: region.lowerBound, upTo: region.count)
            guard piece.count == region.count else {
                throw StoreError(code: .corruptEntry, message: "A stored body is shorter than its entry says.")
            }
            return piece
        }
    }

    func cancel() {
        rest.withLock { $0 = $0.upperBound..<$0.upperBound }
    }
}

/// Content from the network that breaks off when nothing comes for a while, although somebody asks for more.
///
/// One task watches all of it, so the length of the silence is met within twice the limit.
final class SilenceLimitedBody: BodySource {
    private struct State {
        /// When the piece was asked for that is not there yet.
        var askedAt: Duration?
        var isSilent = false
        var watch: Task<Void, Never>?
        /// How long the pieces behind the first were waited for, and what came.
        var waited = Duration.zero
        var count = 0
    }

    /// In bytes a second: slower content is made bit by bit, as no network that shows pages is so slow.
    private static let slowest = 4_096

    private let source: any BodySource
    private let limit: Duration
    private let clock: EngineClock
    private let pauses: AtomicFlag
    private let state = LockedBox(State())

    /// - Parameter pauses: Set where a second or more passes between two pieces, or where what came behind the first
    ///   took so long in all and was less than 4 KiB for each second.
    init(_ source: any BodySource, limit: Duration, clock: EngineClock, _ pauses: AtomicFlag) {
        (self.source, self.limit, self.clock, self.pauses) = (source, limit, clock, pauses)
    }

    deinit { state.withLock { $0.watch }?.cancel() }

    var trailers: HTTPFields? { source.trailers }

    func next() async throws -> [UInt8]? {
        let now = clock.uptime()
        let isFirst = state.withLock { state -> Bool in
            state.askedAt = now
            return state.watch == nil
        }
        if isFirst { watch() }
        do {
            let bytes = try await source.next()
            let took = isFirst ? .zero : clock.uptime() - now
            let isSlow = state.withLock { state -> Bool in
                state.askedAt = nil
                state.waited += took
                state.count += isFirst ? 0 : bytes?.count ?? 0
                return bytes == nil && state.waited >= HostPatience.least
                    && Double(state.count) < state.waited / .seconds(1) * Double(Self.slowest)
            }
            if isSlow || took >= HostPatience.least { pauses.value = true }
            if bytes == nil { end() }
            return bytes
        } catch {
            end()
            guard state.withLock({ $0.isSilent }) else { throw error }
            throw TransportError(
                code: .closedEarly,
                message: "Nothing more of the response came for \(ReadableDuration.text(limit)).", cause: error)
        }
    }

    func cancel() {
        end()
        source.cancel()
    }

    private func watch() {
        let task = Task { [state, source, limit, clock] in
            while !Task.isCancelled {
                guard (try? await clock.sleep(limit)) != nil else { return }
                let now = clock.uptime()
                let isSilent = state.withLock { state -> Bool in
                    state.isSilent = state.askedAt.map { now - $0 >= limit } ?? false
                    return state.isSilent
                }
                if isSilent { return source.cancel() }
            }
        }
        state.withLock { $0.watch = task }
    }

    private func end() {
        state.withLock { $0.watch }?.cancel()
    }
}
