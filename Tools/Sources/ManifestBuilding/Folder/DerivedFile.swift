import Foundation

/// Files that a build makes of other files, and that no page asks for.
enum DerivedFile {
    private static let copies: Set<String> = ["gz", "br", "zst"]
    private static let mapped: Set<String> = ["js", "mjs", "cjs", "css"]

    /// Why a file is not listed; `nil` if it is. A compressed file whose other form is not there is what pages ask for,
    /// as those of game engines do, and a `.map` without such a script or style is a map of something else.
    ///
    /// - Parameter paths: All files of the folder.
    static func reasonToSkip(_ path: String, besides paths: Set<String>) -> String? {
        let stem = (path as NSString).deletingPathExtension
        switch (path as NSString).pathExtension.lowercased() {
        case "map":
            let isMap = paths.contains(stem) || mapped.contains((stem as NSString).pathExtension.lowercased())
            return isMap ? "source map" : nil
        case let suffix where copies.contains(suffix):
            // A source map may be there in copies alone.
            return paths.contains(stem) ? "compressed copy" : reasonToSkip(stem, besides: paths)
        default: return nil
        }
    }
}
