import AppleFoundation

// c:objc(cs)WKHTTPCookieStore | iOS 11.0, macOS 10.13 | MainActor | D
@MainActor
public final class WKHTTPCookieStore: NSObject {
    private final class Observer {
        weak var observer: (any WKHTTPCookieStoreObserver)?
        init(_ observer: any WKHTTPCookieStoreObserver) { self.observer = observer }
    }

    // c:@E@WKCookiePolicy | iOS 17.0, macOS 14.0 | Sendable | S
    public enum CookiePolicy: Int, Sendable {
        // c:@E@WKCookiePolicy@WKCookiePolicyAllow | iOS 17.0, macOS 14.0 | Sendable | S
        case allow = 0
        // c:@E@WKCookiePolicy@WKCookiePolicyDisallow | iOS 17.0, macOS 14.0 | Sendable | S
        case disallow = 1
    }

    private var cookies: [HTTPCookie] = []
    private var observers: [Observer] = []
    private var policy = CookiePolicy.allow
    /// Not in Apple's module: a change waits until this is called; at once where it is `nil`.
    public var simulatedDelay: (@MainActor (_ change: @escaping @MainActor @Sendable () -> Void) -> Void)?

    // c:objc(cs)WKHTTPCookieStore(im)getAllCookies: | iOS 11.0, macOS 10.13 | MainActor | D
    public func getAllCookies(_ completionHandler: @escaping @MainActor @Sendable ([HTTPCookie]) -> Void) {
        let all = cookies
        later { completionHandler(all) }
    }

    // The asynchronous form has a name of its own.
    // identifier unknown | iOS 11.0, macOS 10.13 | MainActor | D
    public func allCookies() async -> [HTTPCookie] {
        await withCheckedContinuation { continuation in getAllCookies { continuation.resume(returning: $0) } }
    }

    // c:objc(cs)WKHTTPCookieStore(im)setCookie:completionHandler: | iOS 11.0, macOS 10.13 | MainActor | D
    public func setCookie(_ cookie: HTTPCookie, completionHandler: (@MainActor @Sendable () -> Void)? = nil) {
        later {
            self.cookies.removeAll { Self.isSame($0, cookie) }
            self.cookies.append(cookie)
            self.tell()
            completionHandler?()
        }
    }

    // identifier unknown | iOS 11.0, macOS 10.13 | MainActor | D
    public func setCookie(_ cookie: HTTPCookie) async {
        await withCheckedContinuation { continuation in setCookie(cookie) { continuation.resume() } }
    }

    // c:objc(cs)WKHTTPCookieStore(im)setCookies:completionHandler: | iOS 26.0, macOS 26.0 | MainActor | D
    public func setCookies(_ cookies: [HTTPCookie], completionHandler: (@MainActor @Sendable () -> Void)? = nil) {
        later {
            for cookie in cookies {
                self.cookies.removeAll { Self.isSame($0, cookie) }
                self.cookies.append(cookie)
            }
            self.tell()
            completionHandler?()
        }
    }

    // c:objc(cs)WKHTTPCookieStore(im)deleteCookie:completionHandler: | iOS 11.0, macOS 10.13 | MainActor | S
    public func delete(_ cookie: HTTPCookie, completionHandler: (@MainActor @Sendable () -> Void)? = nil) {
        later {
            self.cookies.removeAll { Self.isSame($0, cookie) }
            self.tell()
            completionHandler?()
        }
    }

    // identifier unknown | iOS 11.0, macOS 10.13 | MainActor | S
    public func deleteCookie(_ cookie: HTTPCookie) async {
        await withCheckedContinuation { continuation in delete(cookie) { continuation.resume() } }
    }

    // Not retained.
    // c:objc(cs)WKHTTPCookieStore(im)addObserver: | iOS 11.0, macOS 10.13 | MainActor | S
    public func add(_ observer: any WKHTTPCookieStoreObserver) { observers.append(Observer(observer)) }

    // c:objc(cs)WKHTTPCookieStore(im)removeObserver: | iOS 11.0, macOS 10.13 | MainActor | S
    public func remove(_ observer: any WKHTTPCookieStoreObserver) {
        observers.removeAll { $0.observer === observer || $0.observer == nil }
    }

    // c:objc(cs)WKHTTPCookieStore(im)setCookiePolicy:completionHandler: | iOS 17.0, macOS 14.0 | MainActor | S
    public func setCookiePolicy(
        _ policy: CookiePolicy, completionHandler: (@MainActor @Sendable () -> Void)? = nil
    ) {
        self.policy = policy
        later { completionHandler?() }
    }

    // c:objc(cs)WKHTTPCookieStore(im)getCookiePolicy: | iOS 17.0, macOS 14.0 | MainActor | S
    public func getCookiePolicy(_ completionHandler: @escaping @MainActor @Sendable (CookiePolicy) -> Void) {
        let policy = policy
        later { completionHandler(policy) }
    }

    /// Not in Apple's module: the removal of a data store. Nobody knows when a cookie of a stand-in was set.
    func simulateRemoval(where isMeant: (_ domain: String) -> Bool) {
        let count = cookies.count
        cookies.removeAll { isMeant($0.domain) }
        if cookies.count < count { tell() }
    }

    private func later(_ change: @escaping @MainActor @Sendable () -> Void) {
        if let simulatedDelay { simulatedDelay(change) } else { change() }
    }

    private func tell() {
        for one in observers { one.observer?.cookiesDidChange(in: self) }
    }

    private static func isSame(_ one: HTTPCookie, _ other: HTTPCookie) -> Bool {
        one.name == other.name && one.domain == other.domain && one.path == other.path
    }
}

// c:objc(pl)WKHTTPCookieStoreObserver | iOS 11.0, macOS 10.13 | MainActor | S
@MainActor
public protocol WKHTTPCookieStoreObserver: NSObjectProtocol {
    // Optional in Apple's module.
    // c:objc(pl)WKHTTPCookieStoreObserver(im)cookiesDidChangeInCookieStore: | iOS 11.0, macOS 10.13 | MainActor | S
    func cookiesDidChange(in cookieStore: WKHTTPCookieStore)
}

extension WKHTTPCookieStoreObserver {
    public func cookiesDidChange(in cookieStore: WKHTTPCookieStore) {}
}
