#if canImport(UIKit)
import Foundation
import UIKit

/// Links to other apps.
enum ExternalLinks {
    /// Has the system open a link. Does nothing in an extension, which has no application.
    ///
    /// The application is asked for by its name: a library that an extension may use can't name `UIApplication.shared`.
    @MainActor
    static func open(_ url: URL) {
        let shared = NSSelectorFromString("sharedApplication")
        guard Bundle.main.bundleURL.pathExtension != "appex", UIApplication.responds(to: shared),
            let application = UIApplication.perform(shared)?.takeUnretainedValue() as? UIApplication
        else { return }
        application.open(url)
    }
}
#endif
