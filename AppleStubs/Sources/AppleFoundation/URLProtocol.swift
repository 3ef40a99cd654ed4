import Foundation
import FoundationNetworking
import Locking

// c:objc(cs)NSURLProtocol | iOS 2.0, macOS 10.2 | nonisolated, Sendable | D
open class URLProtocol: NSObject, @unchecked Sendable {
    // c:objc(cs)NSURLProtocol(py)request | iOS 2.0, macOS 10.2 | nonisolated | D
    public let request: URLRequest
    // c:objc(cs)NSURLProtocol(py)cachedResponse | iOS 2.0, macOS 10.2 | nonisolated | D
    public let cachedResponse: CachedURLResponse?
    // c:objc(cs)NSURLProtocol(py)client | iOS 2.0, macOS 10.2 | nonisolated | D
    public let client: (any URLProtocolClient)?
    // c:objc(cs)NSURLProtocol(py)task | iOS 8.0, macOS 10.10 | nonisolated | D
    public private(set) var task: URLSessionTask?

    // c:objc(cs)NSURLProtocol(im)initWithRequest:cachedResponse:client: | iOS 2.0, macOS 10.2 | nonisolated | D
    public required init(request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?) {
        self.request = request
        self.cachedResponse = cachedResponse
        self.client = client
    }

    // c:objc(cs)NSURLProtocol(im)initWithTask:cachedResponse:client: | iOS 8.0, macOS 10.10 | nonisolated | D
    public required convenience init(
        task: URLSessionTask, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
    ) {
        self.init(request: task.request, cachedResponse: cachedResponse, client: client)
        self.task = task
    }

    // c:objc(cs)NSURLProtocol(cm)canInitWithRequest: | iOS 2.0, macOS 10.2 | nonisolated | D
    open class func canInit(with request: URLRequest) -> Bool { false }
    // c:objc(cs)NSURLProtocol(cm)canInitWithTask: | iOS 8.0, macOS 10.10 | nonisolated | D
    open class func canInit(with task: URLSessionTask) -> Bool { canInit(with: task.request) }
    // c:objc(cs)NSURLProtocol(cm)canonicalRequestForRequest: | iOS 2.0, macOS 10.2 | nonisolated | D
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    // c:objc(cs)NSURLProtocol(cm)requestIsCacheEquivalent:toRequest: | iOS 2.0, macOS 10.2 | nonisolated | D
    open class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool { true }
    // c:objc(cs)NSURLProtocol(im)startLoading | iOS 2.0, macOS 10.2 | nonisolated | D
    open func startLoading() {}
    // c:objc(cs)NSURLProtocol(im)stopLoading | iOS 2.0, macOS 10.2 | nonisolated | D
    open func stopLoading() {}
}

// c:objc(pl)NSURLProtocolClient | iOS 2.0, macOS 10.2 | nonisolated, Sendable | D
public protocol URLProtocolClient: NSObjectProtocol, Sendable {
    // c:objc(pl)NSURLProtocolClient(im)URLProtocol:wasRedirectedToRequest:redirectResponse: | iOS 2.0, macOS 10.2 | nonisolated | D
    func urlProtocol(
        _ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)
    // c:objc(pl)NSURLProtocolClient(im)URLProtocol:didReceiveResponse:cacheStoragePolicy: | iOS 2.0, macOS 10.2 | nonisolated | D
    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy)
    // c:objc(pl)NSURLProtocolClient(im)URLProtocol:didLoadData: | iOS 2.0, macOS 10.2 | nonisolated | D
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
    // c:objc(pl)NSURLProtocolClient(im)URLProtocolDidFinishLoading: | iOS 2.0, macOS 10.2 | nonisolated | D
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
    // c:objc(pl)NSURLProtocolClient(im)URLProtocol:didFailWithError: | iOS 2.0, macOS 10.2 | nonisolated | D
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
}
