#if canImport(UIKit) && !targetEnvironment(macCatalyst)
import Foundation
import UIKit
import WKWebViewAdapter

/// Tells a ``BackgroundSuspension`` when the app enters the background and the foreground, until it is gone.
///
/// Notifications are registered by name, because UIKit itself can't be used in an extension. An app
/// gets those of `UIApplication`, an extension those of its host.
///
/// `@unchecked`: the tokens of the notification centre are written once, here, and only handed back to the centre,
/// which may be used from any thread.
final class BackgroundObservation: @unchecked Sendable {
    static let background = [
        "UIApplicationDidEnterBackgroundNotification", "NSExtensionHostDidEnterBackgroundNotification",
    ]
    /// The second of each pair also tells of an app that was launched into the foreground.
    static let foreground = [
        "UIApplicationWillEnterForegroundNotification", "UIApplicationDidBecomeActiveNotification",
        "NSExtensionHostWillEnterForegroundNotification", "NSExtensionHostDidBecomeActiveNotification",
    ]

    /// Whether this system suspends apps, and says so.
    static let isPossible = true

    static let assertion: BackgroundSuspension.Assertion = { work in
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Larder closes its store", using: work)
    }

    private let center: NotificationCenter
    private var tokens: [any NSObjectProtocol] = []

    init(_ suspension: BackgroundSuspension, _ center: NotificationCenter = .default) {
        self.center = center
        tokens = Self.background.map { name in
            center.addObserver(forName: NSNotification.Name(name), object: nil, queue: nil) { _ in
                suspension.enterBackground()
            }
        }
        tokens += Self.foreground.map { name in
            center.addObserver(forName: NSNotification.Name(name), object: nil, queue: nil) { _ in
                suspension.enterForeground()
            }
        }
        // The system tells all of it on the main thread, so nothing comes between the question and its answer.
        Task { @MainActor in
            // An app with scenes says "background" until its first scene is shown, so that this answer tells nothing.
            // An extension has no application and no foreground.
            if let state = RunningApplication.shared?.applicationState, state != .background {
                suspension.beginInForeground()
            }
        }
    }

    deinit {
        for token in tokens { center.removeObserver(token) }
    }
}
#endif
