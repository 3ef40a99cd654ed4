#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import Foundation

/// Links to other apps.
enum ExternalLinks {
    /// Has the system open a link.
    @MainActor
    static func open(_ url: URL) { _ = NSWorkspace.shared.open(url) }
}

/// A view of this platform.
public typealias PlatformView = NSView

extension NSView {
    /// Adds a view below all others.
    func addBehind(_ view: NSView) { addSubview(view, positioned: .below, relativeTo: nil) }
}
#endif
