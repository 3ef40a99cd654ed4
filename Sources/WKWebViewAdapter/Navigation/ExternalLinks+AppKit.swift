#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import Foundation

/// Links to other apps.
enum ExternalLinks {
    /// Has the system open a link.
    @MainActor
    static func open(_ url: URL) { _ = NSWorkspace.shared.open(url) }
}
#endif
