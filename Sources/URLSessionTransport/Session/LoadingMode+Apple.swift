#if canImport(Network)
import Foundation

extension URLSessionConfiguration {
    /// The loader that asks the classes of `protocolClasses`; the newer one does not (expo/expo PR 49324).
    package func loadThroughProtocols() {
        if #available(iOS 18.4, macOS 15.4, *) { usesClassicLoadingMode = true }
    }

    /// The loader that takes content in chunks without their end for an error, as RFC 9112 §8 wants it; the classic one
    /// takes such content for whole (expo/expo PR 49324, Apple's FB24495140).
    func noticeTruncation() {
        if #available(iOS 18.4, macOS 15.4, *) { usesClassicLoadingMode = false }
    }
}
#endif
