#if os(Linux)
import Foundation

/// The display that web views paint on: the one of the session, or a virtual one of ours.
public struct Display: Sendable {
    /// For the web view's environment; `nil` where the platform needs none.
    public var name: String?
    private var virtual: VirtualDisplay?

    /// Always a virtual display, so that pictures do not depend on the session; `LARDER_DISPLAY` overrides that.
    ///
    /// - Throws: ``HostError/Code/badUse`` when there is no Xvfb.
    public static func find() async throws -> Display {
        if let name = ProcessInfo.processInfo.environment["LARDER_DISPLAY"] { return Display(name: name) }
        let virtual = try await VirtualDisplay.start()
        return Display(name: virtual.name, virtual: virtual)
    }

    public func stop() {
        virtual?.stop()
    }
}
#endif
