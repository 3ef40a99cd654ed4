#if canImport(Network)
import CacheEngine
import Foundation

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
