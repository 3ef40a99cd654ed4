// The lines of docs/guides/views.md that need no UIKit.
import LarderKit
import SwiftUI
import WebKit

@MainActor
func pooled(_ configuration: WKWebViewConfiguration) -> WKWebView {
    let pool = WebViewPool(configuration)
    pool.warmUp()
    let webView = pool.take()
    return webView
}

struct ShopScreen: View {
    let larder: Larder
    let url: URL
    @State private var webView: WKWebView?
    @State private var progress = LoadProgress()

    var body: some View {
        VStack {
            LoadProgressView(progress)
            if let webView { WebViewHolder(webView: webView) }
        }
        .navigationTitle(progress.title ?? "")
        .task { await show() }
    }

    private func show() async {
        let shown = if let webView { webView } else { await make() }
        for await next in shown.loadProgress { progress = next }
    }

    private func make() async -> WKWebView {
        let configuration = WKWebViewConfiguration()
        await larder.install(in: configuration)
        let made = WKWebView(frame: .zero, configuration: configuration)
        webView = made
        larder.load(url, in: made)
        return made
    }
}
