#if canImport(UIKit)
import DemoLogic
import LarderKit
import UIKit
import WebKit

/// A page in a web view, below a bar that shows how far it is, without SwiftUI.
final class PageViewController: UIViewController {
    private let open: @MainActor () async -> WKWebView?
    private let bar = UIProgressView(frame: .zero)
    private var showing: Task<Void, Never>?

    /// - Parameter open: Gives the web view, with the page on its way.
    init(_ page: DemoPage, open: @escaping @MainActor () async -> WKWebView?) {
        self.open = open
        super.init(nibName: nil, bundle: nil)
        title = page.address
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { return nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        showing = Task { [weak self, open] in
            guard let webView = await open() else { return }
            self?.place(webView)
            for await progress in webView.loadProgress { self?.show(progress) }
        }
    }

    deinit { showing?.cancel() }

    private func place(_ webView: WKWebView) {
        webView.frame = view.bounds
        webView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(webView)
        bar.frame = CGRect(x: 0, y: 0, width: view.bounds.width, height: 4)
        bar.autoresizingMask = .flexibleWidth
        view.addSubview(bar)
    }

    private func show(_ progress: LoadProgress) {
        bar.setProgress(Float(progress.fraction), animated: true)
        bar.isHidden = !progress.isLoading
        if let title = progress.title { self.title = title }
    }
}
#endif
