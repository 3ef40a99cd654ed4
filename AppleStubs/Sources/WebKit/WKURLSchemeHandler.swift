import AppleFoundation
import Locking

// Stand-ins for WebKit, as far as adapters use it. Each declaration is preceded by: Apple's symbol identifier | availability |
// isolation and Sendable | how well it is known (D: Apple's documentation page read; S: read in WebKit's public source;
// B: read in bindings generated from an SDK; M: not verified). Optional methods have bodies that do what WebKit does for
// whoever has not the method.

// c:objc(pl)WKURLSchemeHandler | iOS 11.0, macOS 10.13 | MainActor | D
@MainActor
public protocol WKURLSchemeHandler: NSObjectProtocol {
    // c:objc(pl)WKURLSchemeHandler(im)webView:startURLSchemeTask: | iOS 11.0, macOS 10.13 | MainActor | D
    func webView(_ webView: WKWebView, start urlSchemeTask: any WKURLSchemeTask)
    // c:objc(pl)WKURLSchemeHandler(im)webView:stopURLSchemeTask: | iOS 11.0, macOS 10.13 | MainActor | D
    func webView(_ webView: WKWebView, stop urlSchemeTask: any WKURLSchemeTask)
}

// Of no actor in Apple's module: any thread may call, and each call waits for the main one.
// c:objc(pl)WKURLSchemeTask | iOS 11.0, macOS 10.13 | nonisolated | D
public protocol WKURLSchemeTask: NSObjectProtocol {
    // c:objc(pl)WKURLSchemeTask(py)request | iOS 11.0, macOS 10.13 | nonisolated | D
    var request: URLRequest { get }
    // c:objc(pl)WKURLSchemeTask(im)didReceiveResponse: | iOS 11.0, macOS 10.13 | nonisolated | D
    func didReceive(_ response: URLResponse)
    // c:objc(pl)WKURLSchemeTask(im)didReceiveData: | iOS 11.0, macOS 10.13 | nonisolated | D
    func didReceive(_ data: Data)
    // c:objc(pl)WKURLSchemeTask(im)didFinish | iOS 11.0, macOS 10.13 | nonisolated | D
    func didFinish()
    // c:objc(pl)WKURLSchemeTask(im)didFailWithError: | iOS 11.0, macOS 10.13 | nonisolated | D
    func didFailWithError(_ error: any Error)
}

/// Not in Apple's module: a task as WebKit makes them. What would raise an exception there is a fault here.
public final class SimulatedSchemeTask: NSObject, WKURLSchemeTask, @unchecked Sendable {
    private struct State: Sendable {
        var calls: [String] = []
        var faults: [String] = []
        var content = Data()
        var hasResponse = false
        var isOver = false
        var isStopped = false
    }

    /// Where there is no run loop, another thread may have the main queue.
    private static let isMainQueue: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    public let request: URLRequest
    private let state = LockedBox(State())

    public init(_ request: URLRequest) {
        self.request = request
        super.init()
    }

    /// What the handler did, in order.
    public var calls: [String] { state.withLock { $0.calls } }
    /// What raises `NSInternalInconsistencyException` in WebKit (WKURLSchemeTask.mm).
    public var faults: [String] { state.withLock { $0.faults } }
    public var content: Data { state.withLock { $0.content } }
    public var isOver: Bool { state.withLock { $0.isOver } }

    /// The web view needs the task no longer; to be called before the handler's `stop`.
    ///
    /// - Returns: Whether it was not over.
    public func stop() -> Bool {
        state.withLock { state in
            if state.isOver { return false }
            state.isStopped = true
            return true
        }
    }

    public func didReceive(_ response: URLResponse) {
        note("response") { state in
            if !state.content.isEmpty { state.faults.append("a response after content") }
            state.hasResponse = true
        }
    }

    public func didReceive(_ data: Data) {
        note("data") { state in
            if !state.hasResponse { state.faults.append("content without a response") }
            state.content.append(data)
        }
    }

    public func didFinish() {
        note("finish") { state in
            if !state.hasResponse { state.faults.append("an end without a response") }
            state.isOver = true
        }
    }

    public func didFailWithError(_ error: any Error) { note("fail") { $0.isOver = true } }

    private func note(_ call: String, _ change: (inout State) -> Void) {
        let isMain = DispatchQueue.getSpecific(key: Self.isMainQueue) == true
        state.withLock { state in
            if !isMain { state.faults.append("\(call) off the main thread") }
            if state.isStopped { state.faults.append("\(call) after the stop") }
            if state.isOver { state.faults.append("\(call) after the end") }
            state.calls.append(call)
            change(&state)
        }
    }
}
