import DemoLogic
import LarderKit
import SwiftUI
import WebKit

/// A page in a web view, below a bar that shows how far it is.
struct PageScreen: View {
    @ObservedObject var model: DemoModel
    let page: DemoPage
    @State private var webView: WKWebView?
    @State private var progress = LoadProgress()

    var body: some View {
        VStack {
            LoadProgressView(progress)
            if let webView {
                WebViewHolder(webView: webView)
                HStack {
                    Button("Back") { webView.goBack() }
                    Button("Reload") { webView.reload() }
                    Text(model.larder.mode(of: webView)?.text ?? "")
                }
            }
            Text(model.log.summary(of: webView.flatMap { model.larder.name(of: $0) }))
        }
        .navigationTitle(progress.title ?? page.address)
        .task { await show() }
    }

    private func show() async {
        if webView == nil { webView = await model.open(page) }
        guard let webView else { return }
        for await next in webView.loadProgress { progress = next }
    }
}
