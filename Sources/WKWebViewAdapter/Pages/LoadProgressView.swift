#if canImport(SwiftUI) && canImport(WebKit)
import SwiftUI
import ViewCare
import WebKit

/// A bar that shows how far a web view's load is, and nothing while it loads nothing.
public struct LoadProgressView: View {
    private let progress: LoadProgress

    /// - Parameter progress: The last of `WKWebView.loadProgress`.
    public init(_ progress: LoadProgress) { self.progress = progress }

    /// A bar while the page loads.
    public var body: some View {
        ProgressView(value: progress.fraction).opacity(progress.isLoading ? 1 : 0)
    }
}
#endif
