#if canImport(Network) && (!canImport(AppKit) || targetEnvironment(macCatalyst))
import Foundation

extension SystemFolders {
    /// The folder itself: each app has folders of its own.
    static func ofThisApp(_ folder: URL) -> URL { folder }
}
#endif
