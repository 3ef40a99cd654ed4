#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import Foundation

extension SystemFolders {
    /// The app's own folder in one that belongs to the user: programs on a Mac without a sandbox share it.
    static func ofThisApp(_ folder: URL) -> URL {
        let name = StoreFolder.ownName(
            bundle: Bundle.main.bundleIdentifier, process: ProcessInfo.processInfo.processName)
        return folder.appendingPathComponent(name, isDirectory: true)
    }
}
#endif
