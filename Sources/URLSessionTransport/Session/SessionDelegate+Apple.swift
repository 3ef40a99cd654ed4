#if canImport(Network)
import CacheEngine
import Foundation

// Events that Foundation on Linux does not tell.
extension SessionDelegate {
    /// Before these systems interim responses are not told.
    @available(iOS 17.0, macOS 14.0, *)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) {
        registry.exchange(task.taskIdentifier)?.receivedInterim(
            status: response.statusCode, fields: HeadFields.of(response))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        guard let last = metrics.transactionMetrics.last else { return }
        var told = TransportMetrics()
        told.networkProtocol = last.networkProtocolName
        told.isReusedConnection = last.isReusedConnection
        told.nameLookup = Self.time(from: last.domainLookupStartDate, to: last.domainLookupEndDate)
        told.connecting = Self.time(from: last.connectStartDate, to: last.connectEndDate)
        told.securing = Self.time(from: last.secureConnectionStartDate, to: last.secureConnectionEndDate)
        told.waiting = Self.time(from: last.requestEndDate, to: last.responseStartDate)
        told.transferredBytes = last.countOfResponseBodyBytesReceived
        registry.exchange(task.taskIdentifier)?.received(told)
    }

    private static func time(from start: Date?, to end: Date?) -> Duration? {
        guard let start, let end else { return nil }
        return MetricDuration.of(seconds: end.timeIntervalSince(start))
    }
}

extension URLSessionConfiguration {
    /// The loader that asks the classes of `protocolClasses`; the newer one does not (expo/expo PR 49324).
    package func loadThroughProtocols() {
        if #available(iOS 18.4, macOS 15.4, *) { usesClassicLoadingMode = true }
    }

    /// The loader that takes content in chunks without their end for an error, as RFC 9112 §8 wants it; the classic one
    /// takes such content for whole (expo/expo PR 49324, Apple's FB24495140).
    func noticeTruncation() {
        if #available(iOS 18.4, macOS 15.4, *) { usesClassicLoadingMode = false }
    }
}

extension URLSessionOriginTransport {
    /// Answers a challenge as a delegate of `URLSession` does: the closure has to be called once, on any thread.
    package typealias ChallengeHandler =
        @Sendable (
            _ challenge: URLAuthenticationChallenge,
            _ answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) -> Void

    /// The same with an app that answers challenges: for its client certificate, or to accept only certificates that it
    /// knows. Without it the system decides. Not run on a device yet.
    ///
    /// A certificate that the app refuses is a failure of the exchange, which a stored response does not hide.
    ///
    /// - Parameter onChallenge: Asked about certificates of servers and clients, and about credentials of servers and
    ///   proxies, on the session's queue; what is none of its business it answers with `.performDefaultHandling`.
    package convenience init(
        configuration: URLSessionConfiguration = .ephemeral, limits: Limits = .init(), clock: EngineClock = .system,
        onChallenge: @escaping ChallengeHandler
    ) {
        self.init(
            configuration: configuration, limits: limits, clock: clock, challenges: SessionChallenges(onChallenge))
    }
}

/// The app's answers to challenges.
struct SessionChallenges: Sendable {
    let answer: URLSessionOriginTransport.ChallengeHandler?

    init(_ answer: URLSessionOriginTransport.ChallengeHandler? = nil) { self.answer = answer }
}

extension SessionDelegate {
    /// The session asks here about its own challenges as well, because its own method is missing.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let answer = challenges.answer else { return completionHandler(.performDefaultHandling, nil) }
        answer(challenge, completionHandler)
    }
}
#endif
