import Foundation
import FoundationNetworking
import Locking

// Each declaration is preceded by: Apple's symbol identifier | availability | isolation and Sendable | how well it is known
// (D: Apple's documentation page read; B: read in bindings generated from an SDK; M: not verified).

// c:objc(cs)NSURLSession | iOS 7.0, macOS 10.9 | nonisolated, Sendable | D
public final class URLSession: NSObject, @unchecked Sendable {
    // c:@E@NSURLSessionResponseDisposition | iOS 7.0, macOS 10.9 | Sendable | D
    public enum ResponseDisposition: Int, Sendable {
        case cancel = 0
        case allow = 1
        case becomeDownload = 2
        case becomeStream = 3
    }

    /// Not in Apple's module: what a test does with a session that was made, and with each task as it starts.
    public struct Simulation: Sendable {
        public var onStart: @Sendable (URLSessionTask) -> Void

        public init(onStart: @escaping @Sendable (URLSessionTask) -> Void) { self.onStart = onStart }
    }

    /// Not in Apple's module: counts for the sessions that are made in a task.
    @TaskLocal public static var simulation = Simulation { _ in }

    // c:objc(cs)NSURLSession(py)configuration | iOS 7.0, macOS 10.9 | nonisolated | B
    public let configuration: URLSessionConfiguration
    // c:objc(cs)NSURLSession(py)delegate | iOS 7.0, macOS 10.9 | nonisolated | B
    public let delegate: (any URLSessionDataDelegate)?
    private let simulation: Simulation
    private let numbers = LockedBox(0)
    /// The queue of the delegate's calls: one at a time.
    private let queue = DispatchQueue(label: "stand-in for a session")

    // c:objc(cs)NSURLSession(cm)sessionWithConfiguration: | iOS 7.0, macOS 10.9 | nonisolated | M
    public convenience init(configuration: URLSessionConfiguration) {
        self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
    }
    // c:objc(cs)NSURLSession(cm)sessionWithConfiguration:delegate:delegateQueue: | iOS 7.0, macOS 10.9 | nonisolated | D
    public init(
        configuration: URLSessionConfiguration, delegate: (any URLSessionDataDelegate)?, delegateQueue: OperationQueue?
    ) {
        self.configuration = configuration
        self.delegate = delegate
        simulation = Self.simulation
    }

    // c:objc(cs)NSURLSession(im)dataTaskWithRequest: | iOS 7.0, macOS 10.9 | nonisolated | D
    public func dataTask(with request: URLRequest) -> URLSessionDataTask {
        URLSessionDataTask(self, next(), request, simulation, isUpload: false)
    }

    // c:objc(cs)NSURLSession(im)uploadTaskWithStreamedRequest: | iOS 7.0, macOS 10.9 | nonisolated | B
    public func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
        URLSessionUploadTask(self, next(), request, simulation, isUpload: true)
    }

    // c:objc(cs)NSURLSession(im)invalidateAndCancel | iOS 7.0, macOS 10.9 | nonisolated | B
    public func invalidateAndCancel() {}

    private func next() -> Int {
        numbers.withLock { number in
            number += 1
            return number
        }
    }

    /// Not in Apple's module: calls the delegate as a session does, one call at a time.
    public func tell(_ call: @escaping @Sendable (any URLSessionDataDelegate) -> Void) {
        guard let delegate else { return }
        queue.async { call(delegate) }
    }

    /// Not in Apple's module: the same, and returns once it has returned.
    public func tellNow<Answer>(_ call: (any URLSessionDataDelegate) -> Answer) -> Answer? {
        delegate.map { delegate in queue.sync { call(delegate) } }
    }
}

// c:objc(cs)NSURLSessionConfiguration | iOS 7.0, macOS 10.9 | nonisolated, Sendable | D
public final class URLSessionConfiguration: NSObject, @unchecked Sendable {
    // c:objc(cs)NSURLSessionConfiguration(cpy)defaultSessionConfiguration | iOS 7.0, macOS 10.9 | nonisolated | M
    public class var `default`: URLSessionConfiguration { URLSessionConfiguration() }
    // c:objc(cs)NSURLSessionConfiguration(cpy)ephemeralSessionConfiguration | iOS 7.0, macOS 10.9 | nonisolated | B
    public class var ephemeral: URLSessionConfiguration { URLSessionConfiguration() }
    // c:objc(cs)NSURLSessionConfiguration(py)URLCache | iOS 7.0, macOS 10.9 | nonisolated | B
    public var urlCache: URLCache?
    // c:objc(cs)NSURLSessionConfiguration(py)requestCachePolicy | iOS 7.0, macOS 10.9 | nonisolated | B
    public var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
    // c:objc(cs)NSURLSessionConfiguration(py)HTTPCookieStorage | iOS 7.0, macOS 10.9 | nonisolated | B
    public var httpCookieStorage: HTTPCookieStorage?
    // c:objc(cs)NSURLSessionConfiguration(py)HTTPShouldSetCookies | iOS 7.0, macOS 10.9 | nonisolated | B
    public var httpShouldSetCookies = true
    // c:objc(cs)NSURLSessionConfiguration(py)HTTPCookieAcceptPolicy | iOS 7.0, macOS 10.9 | nonisolated | B
    public var httpCookieAcceptPolicy = HTTPCookie.AcceptPolicy.onlyFromMainDocumentDomain
    // c:objc(cs)NSURLSessionConfiguration(py)URLCredentialStorage | iOS 7.0, macOS 10.9 | nonisolated | B
    public var urlCredentialStorage: URLCredentialStorage?
    // c:objc(cs)NSURLSessionConfiguration(py)timeoutIntervalForRequest | iOS 7.0, macOS 10.9 | nonisolated | B
    public var timeoutIntervalForRequest: TimeInterval = 60
    // c:objc(cs)NSURLSessionConfiguration(py)timeoutIntervalForResource | iOS 7.0, macOS 10.9 | nonisolated | B
    public var timeoutIntervalForResource: TimeInterval = 604_800
    // c:objc(cs)NSURLSessionConfiguration(py)HTTPAdditionalHeaders | iOS 7.0, macOS 10.9 | nonisolated | D
    public var httpAdditionalHeaders: [AnyHashable: Any]?
    // c:objc(cs)NSURLSessionConfiguration(py)protocolClasses | iOS 7.0, macOS 10.9 | nonisolated | D
    public var protocolClasses: [AnyClass]? = []
    // c:objc(cs)NSURLSessionConfiguration(py)usesClassicLoadingMode | iOS 18.4, macOS 15.4 | nonisolated | D
    public var usesClassicLoadingMode: Bool {
        get { isClassic }
        set { isClassic = newValue }
    }
    private var isClassic = true

    // c:objc(cs)NSObject(im)copy | iOS 2.0, macOS 10.0 | nonisolated | D
    public override func copy() -> Any {
        let copy = URLSessionConfiguration()
        (copy.urlCache, copy.requestCachePolicy, copy.isClassic) = (urlCache, requestCachePolicy, isClassic)
        (copy.httpCookieStorage, copy.httpShouldSetCookies) = (httpCookieStorage, httpShouldSetCookies)
        (copy.httpCookieAcceptPolicy, copy.urlCredentialStorage) = (httpCookieAcceptPolicy, urlCredentialStorage)
        copy.timeoutIntervalForRequest = timeoutIntervalForRequest
        copy.timeoutIntervalForResource = timeoutIntervalForResource
        (copy.httpAdditionalHeaders, copy.protocolClasses) = (httpAdditionalHeaders, protocolClasses)
        return copy
    }
}
