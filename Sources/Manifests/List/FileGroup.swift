/// A name for files that are needed together. Files of `boot` are fetched first, those of `lazy` last.
package struct FileGroup: Hashable, Sendable, CustomStringConvertible {
    package var name: String

    package init(_ name: String) { self.name = name }

    /// What each page needs.
    package static let boot = FileGroup("boot")
    /// What no page is known to need at once.
    package static let lazy = FileGroup("lazy")
    /// What one page needs: `page:/item`.
    package static func page(_ path: String) -> FileGroup { FileGroup("page:" + path) }

    package var description: String { name }
}
