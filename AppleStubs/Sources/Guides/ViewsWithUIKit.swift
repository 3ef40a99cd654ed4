#if canImport(UIKit)
// The lines of docs/guides/views.md that need UIKit.
import LarderKit
import SwiftUI
import UIKit
import WebKit

struct WebViewHolder: UIViewRepresentable {
    let webView: WKWebView

    func makeUIView(context: Context) -> WKWebView { webView }

    func updateUIView(_ uiView: WKWebView, context: Context) {}
}

final class ShopViewController: UIViewController {
    private let larder: Larder
    private let url: URL
    private let bar = UIProgressView(frame: .zero)
    private var showing: Task<Void, Never>?

    init(larder: Larder, url: URL) {
        (self.larder, self.url) = (larder, url)
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { return nil }

    deinit { showing?.cancel() }

    override func viewDidLoad() {
        super.viewDidLoad()
        showing = Task { [weak self, larder, url] in
            let configuration = WKWebViewConfiguration()
            await larder.install(in: configuration)
            let webView = WKWebView(frame: .zero, configuration: configuration)
            self?.place(webView)
            larder.load(url, in: webView)
            for await progress in webView.loadProgress { self?.bar.progress = Float(progress.fraction) }
        }
    }

    private func place(_ webView: WKWebView) {
        webView.frame = view.bounds
        webView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(webView)
        view.addSubview(bar)
    }
}
#endif
