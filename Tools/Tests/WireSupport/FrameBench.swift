import CacheEngine
import HTTPTypes
import NIOTransport

/// The transport alone, before an origin that speaks HTTP/2 frame by frame.
package final class FrameBench: Sendable {
    package let origin: FrameOrigin
    package let transport: NIOOriginTransport

    package init(_ origin: FrameOrigin, limits: NIOOriginTransport.Limits = .init()) throws {
        self.origin = origin
        transport = NIOOriginTransport(dialer: try SecureOrigin.dialer(origin.port), limits: limits)
    }

    deinit { transport.closeIdleConnections() }

    package static func request(
        _ method: String = "GET", _ path: String = "/", fields: HTTPFields = [:], body: RequestBody? = nil
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(
                method: HTTPRequest.Method(method) ?? .get, scheme: "https", authority: "shop.test", path: path,
                headerFields: fields), body: body)
    }

    package func send(
        _ method: String = "GET", _ path: String = "/", fields: HTTPFields = [:], body: RequestBody? = nil
    ) async -> TransportBench.Outcome {
        await TransportBench.send(Self.request(method, path, fields: fields, body: body), by: transport)
    }

    /// Sends requests at once.
    package func send(count: Int, _ path: String = "/") async -> [TransportBench.Outcome] {
        await withTaskGroup(of: TransportBench.Outcome.self) { group in
            for _ in 0..<count { group.addTask { await self.send("GET", path) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
