#if canImport(UIKit)
import Foundation
import UIKit

/// Links to other apps.
enum ExternalLinks {
    /// Has the system open a link. Does nothing in an extension.
    @MainActor
    static func open(_ url: URL) { RunningApplication.shared?.open(url) }
}

/// A view of this platform.
public typealias PlatformView = UIView

extension UIView {
    /// Adds a view below all others.
    func addBehind(_ view: UIView) { insertSubview(view, at: 0) }
}

/// The application of this process.
package enum RunningApplication {
    /// `nil` in an extension, which has none.
    ///
    /// It is asked for by its name: a library that an extension may use can't name `UIApplication.shared`.
    @MainActor
    package static var shared: UIApplication? {
        let shared = NSSelectorFromString("sharedApplication")
        guard Bundle.main.bundleURL.pathExtension != "appex", UIApplication.responds(to: shared) else { return nil }
        return UIApplication.perform(shared)?.takeUnretainedValue() as? UIApplication
    }
}
#endif
