#if canImport(UIKit)
import DemoLogic
import SwiftUI
import UIKit

/// Opens the page in the screen of UIKit.
struct UIKitPageLink: View {
    let model: DemoModel
    let page: DemoPage

    var body: some View {
        NavigationLink("In UIKit") { Screen(model: model, page: page) }
    }

    private struct Screen: UIViewControllerRepresentable {
        let model: DemoModel
        let page: DemoPage

        func makeUIViewController(context: Context) -> PageViewController {
            PageViewController(page) { await model.open(page) }
        }

        func updateUIViewController(_ uiViewController: PageViewController, context: Context) {}
    }
}
#endif
