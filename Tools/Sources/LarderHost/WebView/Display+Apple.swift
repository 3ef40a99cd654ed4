#if !os(Linux)
/// The display that web views paint on: the session's. Not yet run on a Mac.
public struct Display: Sendable {
    /// For the web view's environment; `nil` where the platform needs none.
    public var name: String?

    public static func find() async throws -> Display { Display() }

    public func stop() {}
}
#endif
