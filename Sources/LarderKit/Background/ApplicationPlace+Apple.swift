#if canImport(UIKit) && !targetEnvironment(macCatalyst)
import Foundation
import UIKit

/// Where the app is, for a store that is opened after the system has told it.
@MainActor
enum ApplicationPlace {
    /// Whether the app is known to be in the foreground. An app with scenes says "background" until its first scene is
    /// shown, so that this answer tells nothing.
    ///
    /// The application is asked for by its name: a library that an extension may use can't name `UIApplication.shared`,
    /// and an extension has none.
    static var isInForeground: Bool {
        let shared = NSSelectorFromString("sharedApplication")
        guard Bundle.main.bundleURL.pathExtension != "appex", UIApplication.responds(to: shared),
            let application = UIApplication.perform(shared)?.takeUnretainedValue() as? UIApplication
        else { return false }
        return application.applicationState != .background
    }
}
#endif
