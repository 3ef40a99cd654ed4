#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import SwiftUI

/// An empty view, for what stands in a window and is not to be seen.
struct ContainerView: NSViewRepresentable {
    let box: ContainerBox

    func makeNSView(context: Context) -> NSView {
        let view = NSView(frame: .zero)
        box.view = view
        return view
    }

    func updateNSView(_ nsView: NSView, context: Context) {}
}
#endif
