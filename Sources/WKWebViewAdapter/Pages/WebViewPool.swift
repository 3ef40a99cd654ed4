#if canImport(WebKit)
import Foundation
import ViewCare
import WebKit

/// Web views that are made ahead: the first one of an app starts processes, which takes tenths of a second.
///
/// (A `WKProcessPool` does nothing any more: since iOS 15 and macOS 12 there is one for all.)
///
/// Type-checked and driven with stand-ins; not yet run on a device.
@MainActor
public final class WebViewPool {
    private let pool: ReadyPool<WKWebView>

    /// - Parameters:
    ///   - configuration: Shared by all its views, after `Larder.install(in:through:options:)`.
    ///   - capacity: The number of views kept ready; 1 unless set, 4 at most.
    public init(_ configuration: WKWebViewConfiguration, capacity: Int = 1) {
        pool = ReadyPool(capacity: capacity) {
            let view = WKWebView(frame: .zero, configuration: configuration)
            // A script starts the view's process, and leaves no entry in its history.
            view.callAsyncJavaScript("", in: nil, in: .defaultClient)
            return view
        }
    }

    /// How many are ready.
    public var count: Int { pool.count }

    /// Makes what is missing. Call it when nothing else is to be done, such as after the first screen was shown.
    public func warmUp() { pool.warmUp() }

    /// A web view that is ready, else a new one. The pool forgets it: a used view has a history and scripts of its
    /// page.
    public func take() -> WKWebView { pool.take() }

    /// Gives up what is ready, as when the system is short of memory.
    package func drain() { pool.drain() }
}
#endif
