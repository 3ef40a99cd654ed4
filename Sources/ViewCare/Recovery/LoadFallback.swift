/// Whether a page that could not be loaded through the proxy is loaded without it: no page may stay away because of
/// Larder.
///
/// A load that fails through the proxy is tried once past it. If the page comes, the proxy was at fault and stays off;
/// if not, the network or the site was, and the proxy is used again.
package struct LoadFallback: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        case usesProxy
        case trying
        case pastProxy
    }

    /// Failures that a load past the proxy would not mend: in `NSURLErrorDomain` a cancelled load
    /// and a device without a network; in WebKit's own domain a load that a policy or a download
    /// has ended.
    private static let notOurs: Set<Failure> = [
        Failure(domain: "NSURLErrorDomain", code: -999), Failure(domain: "NSURLErrorDomain", code: -1009),
        Failure(domain: "WebKitErrorDomain", code: 102), Failure(domain: "WebKitErrorDomain", code: 204),
    ]

    /// The web view's error for a load that failed before anything of its document came.
    package struct Failure: Hashable, Sendable {
        package var domain: String
        package var code: Int

        package init(domain: String, code: Int) {
            self.domain = domain
            self.code = code
        }
    }

    private var state = State.usesProxy

    package init() {}

    /// A main document could not be loaded.
    ///
    /// - Parameters:
    ///   - url: The requested URL, if the web view says it.
    ///   - wasForm: Whether content was sent: a form is not sent twice.
    /// - Returns: Whether the same URL is to be loaded again, past the proxy. If not, the failure is the app's to show,
    ///   and the proxy is used, or used again.
    package mutating func failed(_ url: String?, _ failure: Failure, wasForm: Bool) -> Bool {
        switch state {
        case .pastProxy: return false
        case .trying:
            state = .usesProxy
            return false
        case .usesProxy:
            guard url != nil, !wasForm, !Self.notOurs.contains(failure) else { return false }
            state = .trying
            return true
        }
    }

    /// A main document began to arrive.
    ///
    /// - Returns: Whether it shows that the proxy was at fault; this is told once.
    package mutating func committed() -> Bool {
        guard state == .trying else { return false }
        state = .pastProxy
        return true
    }
}
