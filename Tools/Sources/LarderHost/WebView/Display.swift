#if os(Linux)
import Foundation

/// The display that web views paint on: the one of the session, or a virtual one of ours.
package struct Display: Sendable {
    private var name: String?
    private var virtual: VirtualDisplay?

    /// The display of this process's environment.
    package init() {}

    /// Always a virtual display, so that pictures do not depend on the session; `LARDER_DISPLAY` overrides that.
    ///
    /// - Throws: ``HostError/Code/badUse`` when there is no Xvfb.
    package static func find() async throws -> Display {
        if let name = ProcessInfo.processInfo.environment["LARDER_DISPLAY"] { return Display(name, nil) }
        let virtual = try await VirtualDisplay.start()
        return Display(virtual.name, virtual)
    }

    private init(_ name: String, _ virtual: VirtualDisplay?) { (self.name, self.virtual) = (name, virtual) }

    /// Variables for programs that paint on it.
    package var environment: [String: String] {
        let variables = ["DISPLAY": name, "XAUTHORITY": virtual?.authorityFile]
        return variables.compactMapValues(\.self)
    }

    package func stop() {
        virtual?.stop()
    }
}
#endif
