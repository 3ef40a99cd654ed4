#if canImport(AppKit) && !canImport(UIKit)
import AppKit

/// A view of this platform.
public typealias PlatformView = NSView

extension NSView {
    /// Adds a view below all others.
    func addBehind(_ view: NSView) { addSubview(view, positioned: .below, relativeTo: nil) }
}
#endif
