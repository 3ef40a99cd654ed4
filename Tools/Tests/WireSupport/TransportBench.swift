import CacheEngine
import HTTPTypes
import NIOPosix
import NIOTransport
import OriginDialing

/// The transport alone, before an origin that is called `shop.test`.
package final class TransportBench: Sendable {
    /// What a request led to.
    package struct Outcome: Sendable {
        package var response: HTTPResponse?
        package var content = ""
        package var statedLength: Int64?
        package var failure: TransportError.Code?
        package var message: String?
        package var trailers: HTTPFields?
    }

    package let origin: WireOrigin
    package let dialer: OriginDialer
    package let transport: NIOOriginTransport

    package init(_ origin: WireOrigin, limits: NIOOriginTransport.Limits = .init()) throws {
        self.origin = origin
        dialer = OriginDialer(
            group: MultiThreadedEventLoopGroup.singleton,
            hostMap: try HostMap(["shop.test:80:127.0.0.1:\(origin.port)"]), trust: try Self.trust.get())
        transport = NIOOriginTransport(dialer: dialer, limits: limits)
    }

    /// Once for all: reading the system's authorities takes long.
    private static let trust = Result { try OriginTrust() }

    deinit { transport.closeIdleConnections() }

    package func send(
        _ method: String = "GET", _ path: String = "/", fields: HTTPFields = [:], body: RequestBody? = nil,
        onInterim: (@Sendable (HTTPResponse) -> Void)? = nil
    ) async -> Outcome {
        let head = HTTPRequest(
            method: HTTPRequest.Method(method) ?? .get, scheme: "http", authority: "shop.test", path: path,
            headerFields: fields)
        return await send(TransportRequest(head: head, body: body, onInterim: onInterim))
    }

    package func send(_ request: TransportRequest) async -> Outcome {
        await Self.send(request, by: transport)
    }

    /// Sends a request and reads its response.
    package static func send(_ request: TransportRequest, by transport: NIOOriginTransport) async -> Outcome {
        var outcome = Outcome()
        do {
            let response = try await transport.send(request)
            outcome.response = response.head
            outcome.statedLength = response.bodyLength
            while let piece = try await response.body.next() { outcome.content += Octets.text(piece) }
            outcome.trailers = response.body.trailers
        } catch {
            outcome.failure = (error as? TransportError)?.code
            outcome.message = (error as? TransportError)?.message
        }
        return outcome
    }
}
