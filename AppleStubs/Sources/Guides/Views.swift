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
        guard webView == nil else { return }
        let configuration = WKWebViewConfiguration()
        await larder.install(in: configuration)
        let made = WKWebView(frame: .zero, configuration: configuration)
        webView = made
        larder.load(url, in: made)
        for await next in made.loadProgress { progress = next }
    }
}
