#if !canImport(Darwin)
import Foundation

/// Where preloading keeps its state unless the app says where.
enum PreloadStateFolder {
    static func path(besideStore directory: URL) -> String { directory.standardizedFileURL.path + "-preloads" }
}
#endif
