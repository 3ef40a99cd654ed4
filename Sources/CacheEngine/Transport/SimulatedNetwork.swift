import HTTPTypes
import Locking

/// A network as users have it, to try pages with: it stands between the cache and the real one. WebSockets and tunnels
/// that are not opened do not pass it.
public enum SimulatedNetwork: String, CaseIterable, Sendable, Codable {
    /// As the real one is.
    case direct
    /// 60 ms away, 12 Mbit/s down: figures chosen by us for a middling 4G.
    case fourG = "4g"
    /// 400 ms away, 400 kbit/s down, as "Slow 3G" of Lighthouse.
    case slow3G = "slow-3g"
    /// Nothing ever answers.
    case silent
    /// Heads come, and then ten bytes a second.
    case trickling
    /// Each connection ends before the answer.
    case closing
    /// Every third answer breaks off within its content.
    case lossy

    /// A transport that sends over another one as over such a network.
    ///
    /// - Parameter clock: The machine's unless set.
    package func transport(over transport: any OriginTransport, clock: EngineClock = .system) -> any OriginTransport {
        self == .direct ? transport : SimulatedTransport(self, transport, clock)
    }

    /// The time to the server and back, and the bytes that come in a second; `nil` for no limit.
    fileprivate var line: (roundTrip: Duration, bytesPerSecond: Int64)? {
        switch self {
        case .fourG: (.milliseconds(60), 1_500_000)
        case .slow3G: (.milliseconds(400), 50_000)
        case .trickling: (.zero, 10)
        case .direct, .silent, .closing, .lossy: nil
        }
    }
}

private final class SimulatedTransport: OriginTransport {
    private let network: SimulatedNetwork
    private let base: any OriginTransport
    private let clock: EngineClock
    private let state = LockedBox(State())

    private struct State {
        /// Hosts with a connection: the first one costs two round trips more.
        var hosts: Set<String> = []
        var answers = 0
        /// When the line is free again, on the uptime clock.
        var isFreeAt = Duration.zero
    }

    init(_ network: SimulatedNetwork, _ base: any OriginTransport, _ clock: EngineClock) {
        (self.network, self.base, self.clock) = (network, base, clock)
    }

    var decodedCodings: Set<String> { base.decodedCodings }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let host = request.head.authority ?? ""
        switch network {
        case .silent:
            try await clock.sleep(request.timeout ?? .seconds(30))
            throw TransportError(code: .timedOut, message: "'\(host)' does not answer in time (a simulated network).")
        case .closing:
            throw TransportError(
                code: .closedEarly, message: "'\(host)' closed the connection without an answer (a simulated network).")
        default: break
        }
        if let line = network.line, line.roundTrip > .zero {
            let isFirst = state.withLock { $0.hosts.insert(host).inserted }
            let wait = line.roundTrip * (isFirst ? 3 : 1)
            try await clock.sleep(min(wait, request.timeout ?? wait))
            if let limit = request.timeout, limit < wait {
                throw TransportError(
                    code: .timedOut, message: "'\(host)' does not answer in time (a simulated network).")
            }
        }
        var response = try await base.send(request)
        let number = state.withLock { state -> Int in
            state.answers += 1
            return state.answers
        }
        if network == .lossy, number.isMultiple(of: 3) {
            response.body = SimulatedBody(response.body) { _ in
                throw TransportError(
                    code: .closedEarly, message: "The answer of '\(host)' breaks off (a simulated network).")
            }
        } else if let line = network.line {
            let piece = Int(min(4_096, line.bytesPerSecond))
            response.body = SimulatedBody(response.body, piece: piece) { [self] count in try await pass(count) }
        }
        return response
    }

    /// Returns once the line has carried so many bytes, behind those of others.
    private func pass(_ count: Int) async throws {
        guard let rate = network.line?.bytesPerSecond else { return }
        let now = clock.uptime()
        let until = state.withLock { state -> Duration in
            state.isFreeAt = max(state.isFreeAt, now) + .seconds(1) * count / Int(rate)
            return state.isFreeAt
        }
        if until > now { try await clock.sleep(until - now) }
    }
}

/// A body whose pieces pass a line, a little at a time.
private final class SimulatedBody: BodySource {
    private struct State {
        var rest: ArraySlice<UInt8> = []
        /// A piece that is on the line.
        var passing: Task<Void, any Error>?
        var isOver = false
    }

    private let source: any BodySource
    private let piece: Int
    private let pass: @Sendable (Int) async throws -> Void
    private let state = LockedBox(State())

    /// - Parameter piece: The most bytes of one.
    init(_ source: any BodySource, piece: Int = 4_096, _ pass: @escaping @Sendable (Int) async throws -> Void) {
        (self.source, self.piece, self.pass) = (source, piece, pass)
    }

    var trailers: HTTPFields? { source.trailers }

    func next() async throws -> [UInt8]? {
        if state.withLock({ $0.rest.isEmpty }) {
            guard let bytes = try await source.next() else { return nil }
            state.withLock { $0.rest = bytes[...] }
        }
        let (piece, passing) = state.withLock { [piece, pass] state in
            let next = Array(state.rest.prefix(piece))
            state.rest = state.rest.dropFirst(piece)
            let passing = Task { try await pass(next.count) }
            state.passing = passing
            if state.isOver { passing.cancel() }
            return (next, passing)
        }
        do {
            try await withTaskCancellationHandler {
                try await passing.value
            } onCancel: {
                passing.cancel()
            }
        } catch {
            source.cancel()
            throw error
        }
        return piece
    }

    func cancel() {
        state.withLock { state in
            (state.rest, state.isOver) = ([], true)
            state.passing?.cancel()
        }
        source.cancel()
    }
}
