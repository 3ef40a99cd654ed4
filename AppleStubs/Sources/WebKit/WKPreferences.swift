import AppleFoundation

// c:objc(cs)WKPreferences | iOS 8.0, macOS 10.10 | MainActor | S
@MainActor
public final class WKPreferences: NSObject {
    // c:@E@WKInactiveSchedulingPolicy | iOS 17.0, macOS 14.0 | Sendable | S
    public enum InactiveSchedulingPolicy: Int, Sendable {
        // c:@E@WKInactiveSchedulingPolicy@WKInactiveSchedulingPolicySuspend | iOS 17.0, macOS 14.0 | Sendable | S
        case suspend = 0
        // c:@E@WKInactiveSchedulingPolicy@WKInactiveSchedulingPolicyThrottle | iOS 17.0, macOS 14.0 | Sendable | S
        case throttle = 1
        // c:@E@WKInactiveSchedulingPolicy@WKInactiveSchedulingPolicyNone | iOS 17.0, macOS 14.0 | Sendable | S
        case none = 2
    }

    // c:objc(cs)WKPreferences(im)init | iOS 8.0, macOS 10.10 | MainActor | S
    public override init() { super.init() }

    // c:objc(cs)WKPreferences(py)javaScriptCanOpenWindowsAutomatically | iOS 8.0, macOS 10.10 | MainActor | S
    public var javaScriptCanOpenWindowsAutomatically = false
    // c:objc(cs)WKPreferences(py)fraudulentWebsiteWarningEnabled | iOS 13.0, macOS 10.15 | MainActor | S
    public var isFraudulentWebsiteWarningEnabled = true
    // For a hidden view that has to go on loading.
    // c:objc(cs)WKPreferences(py)inactiveSchedulingPolicy | iOS 17.0, macOS 14.0 | MainActor | S
    public var inactiveSchedulingPolicy: InactiveSchedulingPolicy {
        get { policy }
        set { policy = newValue }
    }
    private var policy = InactiveSchedulingPolicy.suspend
}

// c:objc(cs)WKWebpagePreferences | iOS 13.0, macOS 10.15 | MainActor | S
@MainActor
public final class WKWebpagePreferences: NSObject {
    // c:objc(cs)WKWebpagePreferences(im)init | iOS 13.0, macOS 10.15 | MainActor | M
    public override init() { super.init() }

    // c:objc(cs)WKWebpagePreferences(py)allowsContentJavaScript | iOS 14.0, macOS 11.0 | MainActor | M
    public var allowsContentJavaScript = true
}
