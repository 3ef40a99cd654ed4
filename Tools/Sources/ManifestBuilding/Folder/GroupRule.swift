import Foundation
import Manifests

/// Puts files whose path matches a pattern into a group: `--group 'assets/vendor-*=boot'`.
package struct GroupRule: Hashable, Sendable {
    /// As in a shell, but `*` also matches `/`.
    var pattern: String
    var group: FileGroup

    /// - Parameter text: `PATTERN=NAME`; the last `=` counts.
    package init(_ text: String) throws(ManifestToolError) {
        guard let mark = text.lastIndex(of: "="), mark > text.startIndex, text.index(after: mark) < text.endIndex else {
            throw ManifestToolError("--group '\(text)' is not PATTERN=NAME, such as 'assets/vendor-*=boot'.")
        }
        (pattern, group) = (String(text[..<mark]), FileGroup(String(text[text.index(after: mark)...])))
    }

    func matches(_ path: String) -> Bool { fnmatch(pattern, path, 0) == 0 }
}
