#if os(Linux)
import Foundation

/// A display for web views where there is none: an Xvfb of our own, on a free number, gone when it is stopped and when
/// this process ends, even by SIGKILL.
public final class VirtualDisplay: Sendable {
    /// For the environment of web view processes, such as `:1`.
    public let name: String
    private let child: ChildProcess

    /// Xvfb itself reads nothing, so a shell waits for the end of its standard input, which only we can write to. It
    /// stays in spite of the signals that a terminal sends to all, and gives Xvfb alone its outputs: their end has to
    /// mean that Xvfb is gone.
    private static let keeper = """
        trap : HUP INT TERM
        "$@" </dev/null &
        exec >/dev/null 2>&1
        read -r line
        kill "$!"
        wait "$!"
        """

    /// Starts Xvfb and waits until it takes connections.
    ///
    /// - Throws: ``HostError/Code/badUse`` when Xvfb is not installed or does not start.
    public static func start() async throws -> VirtualDisplay {
        guard let program = Executable.inPath("Xvfb") else {
            throw HostError(
                code: .badUse,
                message: "Xvfb is missing, which a web view needs here; run scripts/setup, or install "
                    + "the package xvfb.")
        }
        let child = try ChildProcess(
            "/bin/sh",
            [
                "-c", keeper, "sh", program, "-displayfd", "1", "-screen", "0", "1280x1600x24", "-nolisten", "tcp",
                "-noreset",
            ])
        for await line in child.lines {
            if let number = Int(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)) {
                return VirtualDisplay(":\(number)", child)
            }
        }
        throw HostError(code: .badUse, message: "Xvfb did not start: \(child.errorText)")
    }

    private init(_ name: String, _ child: ChildProcess) {
        self.name = name
        self.child = child
    }

    deinit { stop() }

    public func stop() {
        child.closeInput()
    }
}
#endif
