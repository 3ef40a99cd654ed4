import CacheEngine
import HTTPTypes
import Locking
import NIOCore
import NIOHTTP1
import OriginDialing

/// The network over SwiftNIO: HTTP/1.1 with keep-alive connections of its own.
///
/// Why not AsyncHTTPClient: it drops interim responses, and what it maps by name it can't map by port
/// (docs/decisions/0002). HTTP/2 to origins is not spoken.
public final class NIOOriginTransport: OriginTransport {
    /// Limits, each with its default.
    public struct Limits: Sendable {
        /// From the last byte of the request head to the response head: two minutes, so that long polls survive.
        public var responseHead: TimeAmount = .seconds(120)
        /// Idle connections kept per origin.
        public var idleConnectionsPerOrigin = 6

        public init() {}
    }

    private let dialer: OriginDialer
    private let limits: Limits
    private let idle = LockedBox<[OriginDialer.Endpoint: [OriginConnection]]>([:])
    private let prepared = LockedBox<[OriginDialer.Endpoint: Task<OriginConnection, any Error>]>([:])

    public init(dialer: OriginDialer, limits: Limits = .init()) {
        self.dialer = dialer
        self.limits = limits
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let isSecure = request.head.scheme == "https" || request.head.scheme == "wss"
        guard let authority = request.head.authority,
            let endpoint = OriginDialer.Endpoint(authority: authority, isSecure: isSecure)
        else {
            throw TransportError(code: .nameNotResolved, message: "The request names no host that can be reached.")
        }
        // A kept connection may have been closed by the origin just now. Without a body nothing is lost, so the
        // request is sent once more on a new one (RFC 9112 §9.3.1: idempotent methods only).
        let isRepeatable = request.body == nil && [.get, .head, .options, .trace].contains(request.head.method)
        if isRepeatable, let connection = takeIdle(endpoint) {
            do {
                return try await exchange(request, on: connection, endpoint)
            } catch let error as TransportError where error.code == .closedEarly {
                // falls through to a new connection
            }
        }
        return try await exchange(request, on: try await open(endpoint), endpoint)
    }

    /// The connection that is being prepared, or a new one.
    private func open(_ endpoint: OriginDialer.Endpoint) async throws -> OriginConnection {
        if let task = prepared.withLock({ $0.removeValue(forKey: endpoint) }), let connection = try? await task.value,
            connection.isOpen
        {
            return connection
        }
        return try await OriginConnection.open(endpoint, dialer, headTimeout: limits.responseHead)
    }

    /// Begins to connect to an origin that is about to be asked; the next request there takes that connection.
    ///
    /// Does nothing where a connection is there already, or on its way. A failure shows when the request comes.
    public func prepare(_ endpoint: OriginDialer.Endpoint) {
        guard idle.withLock({ $0[endpoint]?.contains { $0.isOpen } ?? false }) == false else { return }
        let (dialer, limit) = (dialer, limits.responseHead)
        prepared.withLock { prepared in
            guard prepared[endpoint] == nil else { return }
            prepared[endpoint] = Task {
                try await OriginConnection.open(endpoint, dialer, headTimeout: limit)
            }
        }
    }

    private func exchange(
        _ request: TransportRequest, on connection: OriginConnection, _ endpoint: OriginDialer.Endpoint
    ) async throws -> TransportResponse {
        try await connection.send(request) { [weak self] in
            self?.keep(connection, endpoint) ?? connection.close()
        }
    }

    private func takeIdle(_ endpoint: OriginDialer.Endpoint) -> OriginConnection? {
        idle.withLock { idle in
            while let connection = idle[endpoint]?.popLast() {
                if connection.isOpen { return connection }
            }
            return nil
        }
    }

    private func keep(_ connection: OriginConnection, _ endpoint: OriginDialer.Endpoint) {
        let surplus = idle.withLock { idle -> OriginConnection? in
            var kept = (idle[endpoint] ?? []).filter(\.isOpen)
            kept.append(connection)
            let surplus = kept.count > limits.idleConnectionsPerOrigin ? kept.removeFirst() : nil
            idle[endpoint] = kept
            return surplus
        }
        surplus?.close()
    }

    /// Closes every idle connection, and those that were prepared for nothing.
    public func closeIdleConnections() {
        let all = idle.withLock { idle -> [OriginConnection] in
            defer { idle = [:] }
            return idle.values.flatMap { $0 }
        }
        for connection in all { connection.close() }
        let tasks = prepared.withLock { prepared in
            defer { prepared = [:] }
            return prepared.values.map { $0 }
        }
        for task in tasks { Task { try? await task.value.close() } }
    }
}
