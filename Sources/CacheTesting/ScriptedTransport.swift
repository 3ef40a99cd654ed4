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

/// A step of an origin's answer to a request, in a form that a socket or a fake session can play.
///
/// After the last step the response is complete, unless a step says otherwise.
public enum OriginStep: Sendable {
    /// How a receiver finds the end of the content, RFC 9112 §6.3.
    public enum Framing: Hashable, Sendable {
        /// The content has the stated length in bytes.
        case length(Int64)
        /// The last chunk ends it.
        case chunked
        /// There is no content, whatever the fields say: an answer to HEAD, a 204 or a 304.
        case empty
    }

    /// An interim response, RFC 9110 §15.2.
    case interim(Int, HTTPFields = [:])
    /// The final head. The fields lack those of the framing, but for ``Framing/empty``.
    case head(Int, HTTPFields = [:], Framing)
    case bytes([UInt8])
    /// So many zeros, sent as fast as they are taken.
    case zeros(Int64)
    /// Fields after the content; last.
    case trailers(HTTPFields)
    /// The connection ends here, whatever was announced.
    case breakOff
    /// Nothing more is sent, and the connection stays.
    case silence
}

/// A request as an origin received it.
public struct ReceivedRequest: Sendable {
    public var method: String
    /// Path and query.
    public var target: String
    public var fields: HTTPFields
    /// As far as it has come.
    public var content: [UInt8]
    /// Whether all of the content has come.
    public var isComplete: Bool

    public init(method: String, target: String, fields: HTTPFields, content: [UInt8] = [], isComplete: Bool = true) {
        self.method = method
        self.target = target
        self.fields = fields
        self.content = content
        self.isComplete = isComplete
    }
}

/// A body whose pieces arrive when the test sends them, and which records how far it was pulled.
public final class ScriptedBody: BodySource {
    private struct State: Sendable {
        var pieces: [[UInt8]] = []
        var end: Result<Void, any Error>?
        var pulledBytes: Int64 = 0
        var furthestAhead: Int64 = 0
        var pulls = 0
        var isCancelled = false
    }

    private let state: WatchedValue<State>
    private let consumed: @Sendable () -> Int64

    /// A body that has no pieces yet and has not ended.
    public convenience init() {
        self.init([], ends: false)
    }

    /// - Parameters:
    ///   - pieces: The pieces that are available at once. Empty pieces are left out: a source never returns those.
    ///   - ends: Whether the body ends after them; otherwise it continues with ``send(_:)``.
    ///   - consumed: How many bytes have left the engine, for ``furthestAhead``.
    public init(
        _ pieces: [[UInt8]], ends: Bool = true, consumed: @escaping @Sendable () -> Int64 = { 0 }
    ) {
        var start = State()
        start.pieces = pieces.filter { !$0.isEmpty }
        start.end = ends ? .success(()) : nil
        state = WatchedValue(start)
        self.consumed = consumed
    }

    /// Makes one more piece available.
    public func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        state.update { $0.pieces.append(bytes) }
    }

    /// Makes one more piece available, a text in UTF-8.
    public func send(_ text: String) {
        send(Array(text.utf8))
    }

    /// Ends the body after the sent pieces: normally, or with an error.
    public func end(throwing error: (any Error)? = nil) {
        state.update { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
        }
    }

    /// The bytes that were pulled so far.
    public var pulledBytes: Int64 { state.value.pulledBytes }

    /// The greatest distance so far between the pulled and the consumed bytes.
    public var furthestAhead: Int64 { state.value.furthestAhead }

    /// Whether the engine has cancelled the body.
    public var isCancelled: Bool { state.value.isCancelled }

    /// Returns once at least this number of bytes were pulled.
    public func pulled(atLeast bytes: Int64) async throws {
        try await state.wait { $0.pulledBytes >= bytes }
    }

    /// Returns once ``next()`` was called at least this number of times, whether it has returned or not.
    public func pulls(atLeast count: Int) async throws {
        try await state.wait { $0.pulls >= count }
    }

    /// Returns once the engine has cancelled the body.
    public func cancelled() async throws {
        try await state.wait { $0.isCancelled }
    }

    /// The next piece; waits for the test to send it. Throws `CancellationError` after ``cancel()``.
    public func next() async throws -> [UInt8]? {
        state.update { $0.pulls += 1 }
        try await state.wait { !$0.pieces.isEmpty || $0.end != nil || $0.isCancelled }
        let consumed = consumed()
        let result = state.update { state -> Result<[UInt8]?, any Error> in
            if state.isCancelled { return .failure(CancellationError()) }
            guard !state.pieces.isEmpty else { return (state.end ?? .success(())).map { nil } }
            let piece = state.pieces.removeFirst()
            state.pulledBytes += Int64(piece.count)
            state.furthestAhead = max(state.furthestAhead, state.pulledBytes - consumed)
            return .success(piece)
        }
        return try result.get()
    }

    /// Ends the body for good; recorded in ``isCancelled``.
    public func cancel() {
        state.update { state in
            if state.end == nil || !state.pieces.isEmpty { state.isCancelled = true }
            state.pieces = []
        }
    }
}
