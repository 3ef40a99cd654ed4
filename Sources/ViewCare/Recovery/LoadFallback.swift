/// Whether a page that could not be loaded through the proxy is loaded without it: no page may stay away because of
/// Larder.
///
/// A load that fails through the proxy is tried once past it. If the page comes, the proxy was at fault and stays off;
/// if not, the network or the site was, and the proxy is used again. A load that timed out, or whose connection was
/// refused or lost, says little, as the next one comes in any case: after it the proxy is used again, unless the next
/// load fails so as well.
package struct LoadFallback: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        case usesProxy
        case trying(isPassing: Bool)
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

    /// A time-out, a connection that is refused, and one that is lost: the last two are common right after a
    /// suspension, until the listener is mended.
    private static let passing: Set<Failure> = Set(
        [-1001, -1004, -1005].map { Failure(domain: "NSURLErrorDomain", code: $0) })

    private var state = State.usesProxy
    /// When a load through the proxy last failed for a moment, and came past it, on the uptime clock.
    private var passed: Duration?
    /// How long after that another such failure is no coincidence: an app that comes back twice is not at fault.
    private static let window = Duration.seconds(60)

    package init() {}

    /// Whether the next load goes through the proxy.
    package var usesProxy: Bool { state == .usesProxy }

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
            state = .trying(isPassing: Self.passing.contains(failure))
            return true
        }
    }

    /// A main document began to arrive.
    ///
    /// - Returns: Whether it came only past the proxy, which was at fault and stays off. Told once. A load past it that
    ///   says little is over as well, and the next one goes through it.
    ///
    /// - Parameter now: On the uptime clock.
    package mutating func committed(at now: Duration) -> Bool {
        switch state {
        case .pastProxy: return false
        case .usesProxy:
            passed = nil
            return false
        case .trying(isPassing: true) where passed.map { now - $0 > Self.window } ?? true:
            (state, passed) = (.usesProxy, now)
            return false
        case .trying:
            state = .pastProxy
            return true
        }
    }
}
