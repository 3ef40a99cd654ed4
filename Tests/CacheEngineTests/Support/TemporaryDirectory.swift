import Foundation

/// A path for a directory that is removed when the last reference goes.
final class TemporaryDirectory: Sendable {
    let path = NSTemporaryDirectory() + "larder-engine-test-" + UUID().uuidString

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
