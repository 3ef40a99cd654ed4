import AppleFoundation

// c:objc(cs)UIApplication | iOS 2.0, macOS none | MainActor | D
@MainActor
public final class UIApplication: NSObject {
    // c:@E@UIApplicationState | iOS 4.0, macOS none | Sendable | D
    public enum State: Int, Sendable {
        // c:@E@UIApplicationState@UIApplicationStateActive | iOS 4.0, macOS none | Sendable | D
        case active = 0
        // c:@E@UIApplicationState@UIApplicationStateInactive | iOS 4.0, macOS none | Sendable | D
        case inactive = 1
        // c:@E@UIApplicationState@UIApplicationStateBackground | iOS 4.0, macOS none | Sendable | D
        case background = 2
    }

    // Not to be used in an extension, which has no application.
    // c:objc(cs)UIApplication(cpy)sharedApplication | iOS 2.0, macOS none | MainActor | D
    public class var shared: UIApplication { single }
    private static let single = UIApplication()

    /// Not in Apple's module: whether there is an application, as in no extension.
    public static var isSimulated = false
    // What NSObject has, class objects have as well.
    // c:objc(pl)NSObject(im)respondsToSelector: | iOS 2.0, macOS 10.0 | nonisolated | M
    public class func responds(to aSelector: Selector!) -> Bool { aSelector.name == "sharedApplication" }
    // c:objc(pl)NSObject(im)performSelector: | iOS 2.0, macOS 10.0 | nonisolated | M
    public class func perform(_ aSelector: Selector!) -> Unmanaged<AnyObject>! {
        isSimulated ? Unmanaged.passUnretained(shared) : nil
    }

    /// Not in Apple's module: where the app is.
    public var simulatedState = State.active
    /// Not in Apple's module: what was opened.
    public private(set) var opened: [URL] = []

    // c:objc(cs)UIApplication(py)applicationState | iOS 4.0, macOS none | MainActor | D
    public var applicationState: State { simulatedState }

    // c:objc(cs)UIApplication(im)openURL:options:completionHandler: | iOS 10.0, macOS none | MainActor | M
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        opened.append(url)
        completion?(true)
    }

    // c:@T@UIApplicationOpenExternalURLOptionsKey | iOS 10.0, macOS none | Sendable | M
    public struct OpenExternalURLOptionsKey: Hashable, Sendable {}

    // c:@UIApplicationDidReceiveMemoryWarningNotification | iOS 2.0, macOS none | Sendable | M
    public nonisolated static let didReceiveMemoryWarningNotification = NSNotification.Name(
        "UIApplicationDidReceiveMemoryWarningNotification")
    // c:@UIApplicationDidEnterBackgroundNotification | iOS 4.0, macOS none | Sendable | M
    public nonisolated static let didEnterBackgroundNotification = NSNotification.Name(
        "UIApplicationDidEnterBackgroundNotification")
    // c:@UIApplicationWillEnterForegroundNotification | iOS 4.0, macOS none | Sendable | M
    public nonisolated static let willEnterForegroundNotification = NSNotification.Name(
        "UIApplicationWillEnterForegroundNotification")
    // c:@UIApplicationDidBecomeActiveNotification | iOS 2.0, macOS none | Sendable | M
    public nonisolated static let didBecomeActiveNotification = NSNotification.Name(
        "UIApplicationDidBecomeActiveNotification")
}
