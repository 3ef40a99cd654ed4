#if !os(Linux)
/// The display that web views paint on: the session's. Not yet run on a Mac.
public struct Display: Sendable {
    public init() {}

    /// Variables for programs that paint on it.
    public var environment: [String: String] { [:] }

    public static func find() async throws -> Display { Display() }

    public func stop() {}
}
#endif
