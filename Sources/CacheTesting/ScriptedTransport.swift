import CacheEngine
import HTTPTypes

/// A network that answers as the test says, and records the requests.
///
/// An answer that must wait passes a ``Gate``; one that comes in pieces has a ``ScriptedBody``; one that fails before
/// its head throws a `TransportError`.
public final class ScriptedTransport: OriginTransport {
    /// Makes the answer to one request.
    public typealias Handler = @Sendable (TransportRequest) async throws -> TransportResponse

    private struct State: Sendable {
        var handlers: [String: Handler] = [:]
        var requests: [TransportRequest] = []
        var concurrent = 0
        var mostConcurrent = 0
    }

    private let state = WatchedValue(State())

    /// A network in which no host has an address until handlers are added.
    public init() {}

    /// Answers requests for one URI from now on; replaces an earlier handler.
    ///
    /// - Parameter uri: Scheme, authority, path and query, written as the requests write them.
    public func on(_ uri: String, _ handler: @escaping Handler) {
        state.update { $0.handlers[uri] = handler }
    }

    /// Every request so far, in the order of arrival.
    public var requests: [TransportRequest] { state.value.requests }

    /// The requests for one URI, in the order of arrival.
    public func requests(to uri: String) -> [TransportRequest] {
        requests.filter { Self.uri(of: $0.head) == uri }
    }

    /// How many requests wait for their response head.
    public var concurrentRequests: Int { state.value.concurrent }

    /// The greatest value of ``concurrentRequests`` so far.
    public var mostConcurrentRequests: Int { state.value.mostConcurrent }

    /// Returns once at least this number of requests have arrived.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func requests(atLeast count: Int) async throws {
        try await state.wait { $0.requests.count >= count }
    }

    /// Records the request and lets its handler answer.
    ///
    /// - Throws: The handler's error; `nameNotResolved` if there is none for this URI.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let uri = Self.uri(of: request.head)
        let handler = state.update { state -> Handler? in
            state.requests.append(request)
            state.concurrent += 1
            state.mostConcurrent = max(state.mostConcurrent, state.concurrent)
            return state.handlers[uri]
        }
        defer { state.update { $0.concurrent -= 1 } }
        guard let handler else {
            throw TransportError(code: .nameNotResolved, message: "No answer is scripted for '\(uri)'.")
        }
        return try await handler(request)
    }

    /// A whole answer with a stated length.
    ///
    /// - Parameters:
    ///   - fields: Its fields; `Content-Length` is added, except to 204 and 304, which have no content.
    ///   - body: Its content.
    public static func answer(
        _ status: Int = 200, _ fields: HTTPFields = [:], body: [UInt8] = []
    ) -> TransportResponse {
        var fields = fields
        if ![204, 304].contains(status) { fields[.contentLength] = String(body.count) }
        return TransportResponse(
            head: HTTPResponse(status: .init(code: status), headerFields: fields), body: ScriptedBody([body]),
            bodyLength: Int64(body.count))
    }

    /// A whole answer whose content is a text in UTF-8.
    public static func answer(_ status: Int = 200, _ fields: HTTPFields = [:], body: String) -> TransportResponse {
        answer(status, fields, body: Array(body.utf8))
    }

    /// An answer whose content arrives when the test sends it.
    ///
    /// - Parameter length: The length that the framing states; `nil` for chunked content.
    public static func answer(
        _ status: Int = 200, _ fields: HTTPFields = [:], streaming body: ScriptedBody, length: Int64? = nil
    ) -> TransportResponse {
        var fields = fields
        if let length { fields[.contentLength] = String(length) }
        return TransportResponse(
            head: HTTPResponse(status: .init(code: status), headerFields: fields), body: body, bodyLength: length)
    }

    private static func uri(of head: HTTPRequest) -> String {
        "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "")"
    }
}
