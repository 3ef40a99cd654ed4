#if canImport(UIKit)
import Foundation
import UIKit

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
