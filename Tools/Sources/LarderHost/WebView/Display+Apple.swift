#if !os(Linux)
/// The display that web views paint on: the session's. Not yet run on a Mac.
package struct Display: Sendable {
    package init() {}

    /// Variables for programs that paint on it.
    package var environment: [String: String] { [:] }

    package static func find() async throws -> Display { Display() }

    package func stop() {}
}
#endif
