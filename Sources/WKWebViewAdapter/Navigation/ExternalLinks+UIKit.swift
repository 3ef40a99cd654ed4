#if canImport(UIKit)
import Foundation
import UIKit

/// Links to other apps.
enum ExternalLinks {
    /// Has the system open a link. Does nothing in an extension.
    @MainActor
    static func open(_ url: URL) { RunningApplication.shared?.open(url) }
}
#endif
