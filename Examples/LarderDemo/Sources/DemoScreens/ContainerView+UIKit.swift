#if canImport(UIKit)
import SwiftUI
import UIKit

/// An empty view, for what stands in a window and is not to be seen.
struct UIKitContainerView: UIViewRepresentable {
    let box: ContainerBox

    func makeUIView(context: Context) -> UIView {
        let view = UIView(frame: .zero)
        box.view = view
        return view
    }

    func updateUIView(_ uiView: UIView, context: Context) {}
}

typealias ContainerView = UIKitContainerView
#endif
