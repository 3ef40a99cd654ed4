#if canImport(WebKit)
import Foundation
import WebKit

/// Web views that are made ahead: the first one of an app starts processes, which takes tenths of a second.
///
/// (A `WKProcessPool` does nothing any more: since iOS 15 and macOS 12 there is one for all.)
///
/// Type-checked and driven with stand-ins; not yet run on a device.
@MainActor
public final class WebViewPool {
    private let configuration: WKWebViewConfiguration
    private let capacity: Int
    private var views: [WKWebView] = []

    /// - Parameters:
    ///   - configuration: Shared by all its views, after `Larder.install(in:through:options:)`.
    ///   - capacity: The number of views kept ready; 1 unless set, 4 at most, because each takes tens of megabytes.
    public init(_ configuration: WKWebViewConfiguration, capacity: Int = 1) {
        self.configuration = configuration
        self.capacity = min(max(0, capacity), 4)
    }

    /// How many are ready.
    public var count: Int { views.count }

    /// Makes what is missing. Call it when nothing else is to be done, such as after the first screen was shown.
    public func warmUp() {
        while views.count < capacity { views.append(make()) }
    }

    /// A web view that is ready, else a new one. The pool forgets it: a used view has a history and scripts of its
    /// page.
    public func take() -> WKWebView { views.isEmpty ? make() : views.removeFirst() }

    private func make() -> WKWebView {
        let view = WKWebView(frame: .zero, configuration: configuration)
        // A script starts the view's process, and leaves no entry in its history.
        view.callAsyncJavaScript("", in: nil, in: .defaultClient)
        return view
    }
}

/// The first of several answers; those after it are nothing.
@MainActor
final class FirstAnswer<Value: Sendable> {
    private(set) var given: Value?
    private var waiting: CheckedContinuation<Value, Never>?

    nonisolated init() {}

    func give(_ value: Value) {
        guard given == nil else { return }
        given = value
        waiting?.resume(returning: value)
        waiting = nil
    }

    /// Returns once there is one. One task may wait.
    var value: Value {
        get async {
            if let given { return given }
            return await withCheckedContinuation { waiting = $0 }
        }
    }
}
#endif
