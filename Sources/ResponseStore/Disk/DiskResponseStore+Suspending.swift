import Foundation
import GRDB

/// Stores that several processes share, such as an app and its extension in one app group.
extension DiskResponseStore {
    /// Keeps every store of this process from holding a lock on its files, until ``resumeAll()``.
    ///
    /// iOS ends an app that is suspended while it holds a lock on a file of an app group (0xDEAD10CC, Apple's Technical
    /// Note TN2151). So call this when the system is about to suspend the app, such as from
    /// `applicationDidEnterBackground(_:)` or when a background task expires. A running change is abandoned and fails
    /// with ``StoreError/Code/writeFailed``, as does every later one; exchanges continue and store nothing. Stored
    /// responses can still be read. Not run on a device yet.
    public static func suspendAll() {
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    }

    /// Allows changes to every store of this process again, when the app resumes.
    public static func resumeAll() {
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    }
}
