#if canImport(Darwin)
import Foundation

/// This platform has no such mounts: the tests are skipped for root.
enum ReadOnlyMount {
    static func make(of original: String, at path: String) throws { throw CocoaError(.featureUnsupported) }
    static func allowWriting(_ path: String) throws { throw CocoaError(.featureUnsupported) }
    static func remove(_ path: String) {}
}
#endif
