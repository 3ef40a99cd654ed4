#if canImport(Darwin)
import Foundation

/// Where preloading keeps its state unless the app says where.
enum PreloadStateFolder {
    /// Application Support is not emptied by the system, as the caches folder is. Not yet run on a device.
    static func path(besideStore directory: URL) -> String {
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        guard let support else { return directory.path + "-preloads" }
        let folder = SystemFolders.ofThisApp(support).appendingPathComponent("larder")
        return folder.appendingPathComponent(directory.lastPathComponent).path
    }
}
#endif
