import Foundation
import Security

// c:@NSURLAuthenticationMethodServerTrust | iOS 3.0, macOS 10.6 | Sendable | D
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
// c:@NSURLAuthenticationMethodHTTPBasic | iOS 2.0, macOS 10.2 | Sendable | M
public let NSURLAuthenticationMethodHTTPBasic = "NSURLAuthenticationMethodHTTPBasic"

// c:objc(cs)NSURLProtectionSpace | iOS 2.0, macOS 10.2 | nonisolated | D
public final class URLProtectionSpace: NSObject {
    private let simulatesProxy: Bool

    /// Not in Apple's module: where the system makes spaces with a trust.
    public init(simulating host: String, method: String, trust: SecTrust?, isProxy: Bool = false) {
        (self.host, authenticationMethod, serverTrust) = (host, method, trust)
        simulatesProxy = isProxy
        (port, `protocol`, realm) = (0, nil, nil)
    }

    // c:objc(cs)NSURLProtectionSpace(im)initWithHost:port:protocol:realm:authenticationMethod: | iOS 2.0, macOS 10.2 | nonisolated | M
    public init(host: String, port: Int, protocol: String?, realm: String?, authenticationMethod: String?) {
        (self.host, self.port, self.`protocol`, self.realm) = (host, port, `protocol`, realm)
        self.authenticationMethod = authenticationMethod ?? "NSURLAuthenticationMethodDefault"
        (serverTrust, simulatesProxy) = (nil, false)
    }

    // c:objc(cs)NSURLProtectionSpace(py)host | iOS 2.0, macOS 10.2 | nonisolated | D
    public let host: String
    // c:objc(cs)NSURLProtectionSpace(py)port | iOS 2.0, macOS 10.2 | nonisolated | M
    public let port: Int
    // c:objc(cs)NSURLProtectionSpace(py)protocol | iOS 2.0, macOS 10.2 | nonisolated | M
    public let `protocol`: String?
    // c:objc(cs)NSURLProtectionSpace(py)realm | iOS 2.0, macOS 10.2 | nonisolated | M
    public let realm: String?
    // c:objc(cs)NSURLProtectionSpace(py)authenticationMethod | iOS 2.0, macOS 10.2 | nonisolated | D
    public let authenticationMethod: String
    // c:objc(cs)NSURLProtectionSpace(py)serverTrust | iOS 3.0, macOS 10.6 | nonisolated | D
    public let serverTrust: SecTrust?
    // c:objc(cs)NSURLProtectionSpace(im)isProxy | iOS 2.0, macOS 10.2 | nonisolated | M
    public override func isProxy() -> Bool { simulatesProxy }
}

// c:objc(cs)NSURLAuthenticationChallenge | iOS 2.0, macOS 10.2 | nonisolated | D
public final class URLAuthenticationChallenge: NSObject {
    // c:objc(cs)NSURLAuthenticationChallenge(py)protectionSpace | iOS 2.0, macOS 10.2 | nonisolated | D
    public let protectionSpace: URLProtectionSpace

    /// Not in Apple's module.
    public init(simulating space: URLProtectionSpace, previousFailureCount: Int = 0) {
        (protectionSpace, self.previousFailureCount, sender) = (space, previousFailureCount, nil)
    }

    // c:objc(cs)NSURLAuthenticationChallenge(im)initWithProtectionSpace:proposedCredential:previousFailureCount:failureResponse:error:sender: | iOS 2.0, macOS 10.2 | nonisolated | M
    public init(
        protectionSpace: URLProtectionSpace, proposedCredential: URLCredential?, previousFailureCount: Int,
        failureResponse: URLResponse?, error: (any Error)?, sender: any URLAuthenticationChallengeSender
    ) {
        (self.protectionSpace, self.previousFailureCount, self.sender) = (protectionSpace, previousFailureCount, sender)
    }

    // c:objc(cs)NSURLAuthenticationChallenge(py)previousFailureCount | iOS 2.0, macOS 10.2 | nonisolated | M
    public let previousFailureCount: Int
    // c:objc(cs)NSURLAuthenticationChallenge(py)sender | iOS 2.0, macOS 10.2 | nonisolated | M
    public let sender: (any URLAuthenticationChallengeSender)?
}

// c:objc(pl)NSURLAuthenticationChallengeSender | iOS 2.0, macOS 10.2 | nonisolated | M
public protocol URLAuthenticationChallengeSender: NSObjectProtocol {
    // c:objc(pl)NSURLAuthenticationChallengeSender(im)useCredential:forAuthenticationChallenge: | iOS 2.0, macOS 10.2 | nonisolated | M
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)
    // c:objc(pl)NSURLAuthenticationChallengeSender(im)continueWithoutCredentialForAuthenticationChallenge: | iOS 2.0, macOS 10.2 | nonisolated | M
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge)
    // c:objc(pl)NSURLAuthenticationChallengeSender(im)cancelAuthenticationChallenge: | iOS 2.0, macOS 10.2 | nonisolated | M
    func cancel(_ challenge: URLAuthenticationChallenge)
}

// c:objc(cs)NSURLCredential | iOS 2.0, macOS 10.2 | nonisolated | D
public final class URLCredential: NSObject {
    /// Not in Apple's module.
    public let simulatedTrust: SecTrust?

    // c:@E@NSURLCredentialPersistence | iOS 2.0, macOS 10.2 | Sendable | M
    public enum Persistence: UInt, Sendable {
        case none, forSession, permanent, synchronizable
    }

    // c:objc(cs)NSURLCredential(im)initWithTrust: | iOS 3.0, macOS 10.6 | nonisolated | D
    public init(trust: SecTrust) { (simulatedTrust, user, password, persistence) = (trust, nil, nil, .none) }
    // c:objc(cs)NSURLCredential(im)initWithUser:password:persistence: | iOS 2.0, macOS 10.2 | nonisolated | M
    public init(user: String, password: String, persistence: Persistence) {
        (self.user, self.password, self.persistence, simulatedTrust) = (user, password, persistence, nil)
    }

    // c:objc(cs)NSURLCredential(py)user | iOS 2.0, macOS 10.2 | nonisolated | M
    public let user: String?
    // c:objc(cs)NSURLCredential(py)password | iOS 2.0, macOS 10.2 | nonisolated | M
    public let password: String?
    // c:objc(cs)NSURLCredential(py)persistence | iOS 2.0, macOS 10.2 | nonisolated | M
    public let persistence: Persistence
}

extension URLSession {
    // c:@E@NSURLSessionAuthChallengeDisposition | iOS 7.0, macOS 10.9 | Sendable | M
    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }
}
