#if canImport(Darwin)
import Foundation

/// There are no such mounts here: for root the tests are skipped.
enum ReadOnlyMount {
    static func make(of original: String, at path: String) throws { throw CocoaError(.featureUnsupported) }
    static func allowWriting(_ path: String) throws { throw CocoaError(.featureUnsupported) }
    static func remove(_ path: String) {}
}
#endif
