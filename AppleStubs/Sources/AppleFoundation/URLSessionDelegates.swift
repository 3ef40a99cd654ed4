import Foundation
import FoundationNetworking

// Optional methods have bodies here: a misspelt one is not called, which the tests notice, and `check-apple-uses` names it.

// c:objc(pl)NSURLSessionDelegate | iOS 7.0, macOS 10.9 | nonisolated, Sendable | D
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}

// c:objc(pl)NSURLSessionTaskDelegate | iOS 7.0, macOS 10.9 | nonisolated, Sendable | D
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    // c:objc(pl)NSURLSessionTaskDelegate(im)URLSession:task:willPerformHTTPRedirection:newRequest:completionHandler: | iOS 7.0, macOS 10.9 | nonisolated | B
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
    // c:objc(pl)NSURLSessionTaskDelegate(im)URLSession:task:needNewBodyStream: | iOS 7.0, macOS 10.9 | nonisolated | D
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void)
    // c:objc(pl)NSURLSessionTaskDelegate(im)URLSession:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend: | iOS 7.0, macOS 10.9 | nonisolated | B
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64)
    // c:objc(pl)NSURLSessionTaskDelegate(im)URLSession:task:didReceiveInformationalResponse: | iOS 17.0, macOS 14.0 | nonisolated | D
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse)
    // Asked about the session's own challenges as well, where its delegate has no method for those.
    // c:objc(pl)NSURLSessionTaskDelegate(im)URLSession:task:didReceiveChallenge:completionHandler: | iOS 7.0, macOS 10.9 | nonisolated | B
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
    // c:objc(pl)NSURLSessionTaskDelegate(im)URLSession:task:didFinishCollectingMetrics: | iOS 10.0, macOS 10.12 | nonisolated | B
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
    // c:objc(pl)NSURLSessionTaskDelegate(im)URLSession:task:didCompleteWithError: | iOS 7.0, macOS 10.9 | nonisolated | B
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

// c:objc(pl)NSURLSessionDataDelegate | iOS 7.0, macOS 10.9 | nonisolated, Sendable | D
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    // c:objc(pl)NSURLSessionDataDelegate(im)URLSession:dataTask:didReceiveResponse:completionHandler: | iOS 7.0, macOS 10.9 | nonisolated | D
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
    // c:objc(pl)NSURLSessionDataDelegate(im)URLSession:dataTask:didReceiveData: | iOS 7.0, macOS 10.9 | nonisolated | D
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
    // c:objc(pl)NSURLSessionDataDelegate(im)URLSession:dataTask:willCacheResponse:completionHandler: | iOS 7.0, macOS 10.9 | nonisolated | B
    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void)
}

// What a session does for whoever has not the method.

extension URLSessionTaskDelegate {
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(request) }
    public func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) { completionHandler(nil) }
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {}
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) {}
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { completionHandler(.performDefaultHandling, nil) }
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {}
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {}
}

extension URLSessionDataDelegate {
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) { completionHandler(.allow) }
    public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
    public func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) { completionHandler(proposedResponse) }
}
