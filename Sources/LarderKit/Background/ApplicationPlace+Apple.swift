#if canImport(UIKit) && !targetEnvironment(macCatalyst)
import Foundation
import UIKit
import WKWebViewAdapter

/// Where the app is, for a store that is opened after the system has told it.
@MainActor
enum ApplicationPlace {
    /// Whether the app is known to be in the foreground. An app with scenes says "background" until its first scene is
    /// shown, so that this answer tells nothing. An extension has no application and no foreground.
    static var isInForeground: Bool {
        RunningApplication.shared.map { $0.applicationState != .background } ?? false
    }
}
#endif
