/// A name for files that are needed together. Files of `boot` are fetched first, those of `lazy` last.
public struct FileGroup: Hashable, Sendable, CustomStringConvertible {
    public var name: String

    public init(_ name: String) { self.name = name }

    /// What each page needs.
    public static let boot = FileGroup("boot")
    /// What no page is known to need at once.
    public static let lazy = FileGroup("lazy")
    /// What one page needs: `page:/item`.
    public static func page(_ path: String) -> FileGroup { FileGroup("page:" + path) }

    public var description: String { name }
}
