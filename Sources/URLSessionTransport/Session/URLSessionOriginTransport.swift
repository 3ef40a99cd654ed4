import CacheEngine
import Foundation
import HTTPTypes
import Locking

/// The network through URLSession: HTTP/2 and HTTP/3, proxies, VPN, App Transport Security and the system's trust as
/// the system has them.
///
/// Made for Apple's platforms; not yet run on one. On Linux it is for tests: Foundation there can't
/// stream a request's content, and tells neither interim responses nor metrics.
///
/// Keeps no cookies, credentials or responses, and follows no redirects. Trailer fields are not told by URLSession.
/// Content arrives without its codings, see ``decodedCodings``.
package final class URLSessionOriginTransport: OriginTransport {
    /// From the last of the request's content that was sent to the response head: two minutes, so that long polls
    /// survive, and uploads of any length. A request's own `timeout` replaces it.
    private static let longestSilence = Duration.seconds(120)

    package let session: URLSession
    private let exchanges = OpenExchanges([:])
    private let clock: EngineClock

    /// How many tasks have not ended.
    var openTasks: Int { exchanges.withLock { $0.count } }

    package var decodedCodings: Set<String> { URLSessionCodings.decoded }

    /// - Parameters:
    ///   - configuration: The app's settings of its connections, such as `multipathServiceType`; an
    ///     ephemeral one unless set. It is copied; cookies, credentials, caches and time-outs in
    ///     the copy are replaced, and a Larder that is registered in it is taken out.
    ///   - clock: Measures the limits; the machine's unless set.
    package init(configuration: URLSessionConfiguration = .ephemeral, clock: EngineClock = .system) {
        self.clock = clock
        // The caller may use its own for other sessions.
        let configuration = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        configuration.removeAnsweringProtocols()
        configuration.noticeTruncation()
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        // Ours count: the system's would also end content that its reader has suspended.
        configuration.timeoutIntervalForRequest = Self.never
        configuration.timeoutIntervalForResource = Self.never
        session = URLSession(
            configuration: configuration, delegate: SessionDelegate(exchanges, uptime: clock.uptime),
            delegateQueue: nil)
    }

    /// A week, the default of `timeoutIntervalForResource`.
    private static let never = 604_800.0

    deinit { session.invalidateAndCancel() }

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        var sent = try URLRequest(request)
        guard request.body == nil || BoundBodyStream.isAvailable else {
            throw TransportError(
                code: .malformedRequest, message: "This system can't stream the content of a request.")
        }
        sent.httpShouldHandleCookies = false
        sent.timeoutInterval = Self.never
        sent.cachePolicy = .reloadIgnoringLocalCacheData
        let task: URLSessionTask =
            request.body == nil ? session.dataTask(with: sent) : session.uploadTask(withStreamedRequest: sent)
        if request.yields { task.priority = URLSessionTask.lowPriority }
        let exchange = TaskExchange(request)
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
        return try await exchange.run(task, timeout: request.timeout, silence: Self.longestSilence, on: clock)
    }
}

extension URLSessionTask: NetworkTask {}
