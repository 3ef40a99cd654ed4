import Foundation
import Security

// c:@NSURLAuthenticationMethodServerTrust | iOS 3.0, macOS 10.6 | Sendable | D
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

// c:objc(cs)NSURLProtectionSpace | iOS 2.0, macOS 10.2 | nonisolated | D
public final class URLProtectionSpace: NSObject {
    private let simulatesProxy: Bool

    /// Not in Apple's module: where the system makes spaces with a trust.
    public init(simulating host: String, method: String, trust: SecTrust?, isProxy: Bool = false) {
        (self.host, authenticationMethod, serverTrust) = (host, method, trust)
        simulatesProxy = isProxy
    }

    // c:objc(cs)NSURLProtectionSpace(py)host | iOS 2.0, macOS 10.2 | nonisolated | D
    public let host: String
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
    public init(simulating space: URLProtectionSpace) { protectionSpace = space }
}

// c:objc(cs)NSURLCredential | iOS 2.0, macOS 10.2 | nonisolated | D
public final class URLCredential: NSObject {
    /// Not in Apple's module.
    public let simulatedTrust: SecTrust

    // c:objc(cs)NSURLCredential(im)initWithTrust: | iOS 3.0, macOS 10.6 | nonisolated | D
    public init(trust: SecTrust) { simulatedTrust = trust }
}

extension URLSession {
    // c:@E@NSURLSessionAuthChallengeDisposition | iOS 7.0, macOS 10.9 | Sendable | M
    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
    }
}
