import AppleFoundation
import CacheEngine
import CacheTesting
import Foundation
import HTTPTypes
import Locking
import URLSessionCachingOnApple

/// The loading system around a protocol: starts and stops it on a thread of its own, and takes what it tells.
/// Records what a protocol must not tell.
final class FakeLoadingSystem: NSObject, URLProtocolClient {
    enum Call: Hashable, Sendable {
        case response(Int)
        case data([UInt8])
        case redirect(URLRequest)
        case finish
        case fail(Int)
    }

    struct Record: Sendable {
        var calls: [Call] = []
        var responses: [HTTPURLResponse] = []
        var faults: [String] = []
        var isStopped = false
        var whenCalled: @Sendable (Call) -> Void = { _ in }

        var isOver: Bool {
            switch calls.last {
            case .finish?, .fail?: true
            default: false
            }
        }
        var bytes: [UInt8] {
            calls.reduce(into: []) { all, call in
                if case .data(let bytes) = call { all += bytes }
            }
        }
    }

    let thread = ThreadLoop()
    private let record = LockedBox(Record())

    var told: Record { record.withLock { $0 } }
    var faults: [String] { told.faults + thread.faults.withLock { $0 } }

    /// Runs within each call, before it returns.
    func whenCalled(_ body: @escaping @Sendable (Call) -> Void) { record.withLock { $0.whenCalled = body } }

    func told(_ condition: (Record) -> Bool) async {
        while !condition(told) { await Task.yield() }
    }

    /// The first of the classes that takes the request, as a session asks them.
    func makeProtocol(for task: URLSessionTask) -> URLProtocol? {
        for type in task.session.configuration.protocolClasses ?? [] {
            guard let type = type as? URLProtocol.Type, type.canInit(with: task) else { continue }
            return type.init(task: task, cachedResponse: nil, client: self)
        }
        return nil
    }

    func start(_ urlProtocol: URLProtocol) { thread.run { urlProtocol.startLoading() } }

    func stop(_ urlProtocol: URLProtocol) { thread.run { stopNow(urlProtocol) } }

    /// From within a call.
    func stopNow(_ urlProtocol: URLProtocol) {
        urlProtocol.stopLoading()
        record.withLock { $0.isStopped = true }
    }

    private func called(_ call: Call, _ response: URLResponse? = nil) {
        _ = thread.isCurrent
        let then = record.withLock { record -> @Sendable (Call) -> Void in
            let hasResponse = record.calls.contains { if case .response = $0 { true } else { false } }
            if record.isStopped { record.faults.append("\(call) after stop") }
            if record.isOver { record.faults.append("\(call) after the end") }
            switch call {
            case .response: if hasResponse { record.faults.append("a second response") }
            case .data(let bytes): if !hasResponse || bytes.isEmpty { record.faults.append("data at a wrong moment") }
            case .redirect: if !record.calls.isEmpty { record.faults.append("a redirect that is not first") }
            case .finish: if !hasResponse { record.faults.append("an end without a response") }
            case .fail: break
            }
            if let response = response as? HTTPURLResponse { record.responses.append(response) }
            record.calls.append(call)
            return record.whenCalled
        }
        then(call)
    }

    func urlProtocol(_ protocol: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse) {
        called(.redirect(request), redirectResponse)
    }

    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
        if policy != .notAllowed { record.withLock { $0.faults.append("a response for URLCache") } }
        called(.response((response as? HTTPURLResponse)?.statusCode ?? 0), response)
    }

    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) { called(.data(Array(data))) }
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol) { called(.finish) }

    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
        called(.fail((error as NSError).code))
    }
}
