#if canImport(AppKit) && !canImport(UIKit)
import DemoLogic
import SwiftUI

typealias WebViewHolder = AppKitWebViewHolder

/// There is no UIKit on a Mac.
struct UIKitPageLink: View {
    let model: DemoModel
    let page: DemoPage

    var body: some View { EmptyView() }
}
#endif
