#if canImport(WebKit)
import Fetching
import Foundation
import WebKit

/// Passwords that a server asks for in a scheme mode: the app's delegate is asked as WebKit would ask it for its own
/// network.
extension NavigationForwarder {
    /// Asks the app's method for challenges; without one the page gets the 401.
    ///
    /// - Returns: ``CredentialAnswer/showResponse`` as well when the load is over before the app answers, and when the
    ///   app lets its completion handler go without calling it.
    func answer(to question: CredentialQuestion, in webView: WKWebView) async -> CredentialAnswer {
        guard let challenge = URLAuthenticationChallenge(question) else { return .showResponse }
        let answer = FirstAnswer<CredentialAnswer>()
        ask(webView, challenge, ChallengeReply(answer))
        return await withTaskCancellationHandler {
            await answer.value
        } onCancel: {
            Task { @MainActor in answer.give(.showResponse) }
        }
    }

    private func ask(_ webView: WKWebView, _ challenge: URLAuthenticationChallenge, _ reply: ChallengeReply) {
        self.webView(webView, didReceive: challenge) { disposition, credential in
            reply.answer.give(CredentialAnswer(disposition, credential))
        }
    }
}

extension CredentialAnswer {
    /// Reads the dispositions as WebKit does for a password: by default, and where the protection
    /// space is rejected, it goes on without one, and the page gets the 401.
    init(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
        switch disposition {
        case .cancelAuthenticationChallenge: self = .cancel
        case .useCredential:
            let given = credential?.user.flatMap { BasicCredentials(user: $0, password: credential?.password ?? "") }
            // `permanent` needs the keychain, which is the system's: until the app ends.
            self =
                given.map { .use($0, remembered: credential?.persistence != URLCredential.Persistence.none) }
                ?? .showResponse
        default: self = .showResponse
        }
    }
}

extension URLAuthenticationChallenge {
    /// - Returns: `nil` for an origin without a host.
    fileprivate convenience init?(_ question: CredentialQuestion) {
        guard let scheme = question.origin.scheme, let authority = question.origin.authority else { return nil }
        let space = URLProtectionSpace(
            host: authority.host, port: authority.port ?? (scheme == "https" ? 443 : 80), protocol: scheme,
            realm: question.realm, authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        self.init(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: question.previousFailureCount,
            failureResponse: nil, error: nil, sender: UnusedChallengeSender())
    }
}

/// Held by the app's completion handler: when that goes, nobody can answer any more.
private final class ChallengeReply: Sendable {
    let answer: FirstAnswer<CredentialAnswer>

    init(_ answer: FirstAnswer<CredentialAnswer>) { self.answer = answer }

    deinit {
        let answer = answer
        Task { @MainActor in answer.give(.showResponse) }
    }
}

/// A challenge has to have one; only the completion handler counts.
private final class UnusedChallengeSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
}
#endif
