#if canImport(UIKit)
import SwiftUI
import UIKit
import WebKit

/// Shows a web view that is there already.
struct UIKitWebViewHolder: UIViewRepresentable {
    let webView: WKWebView

    func makeUIView(context: Context) -> WKWebView { webView }

    func updateUIView(_ uiView: WKWebView, context: Context) {}
}

typealias WebViewHolder = UIKitWebViewHolder
#endif
