#if os(Linux)
import Foundation

/// A display for web views where there is none: an Xvfb of our own, on a free number, gone when it is stopped and when
/// this process ends, even by SIGKILL.
package final class VirtualDisplay: Sendable {
    /// The display's name for the environment of web view processes, such as `:1`.
    package let name: String
    private let child: HelperProgram
    private let authority: DisplayAuthority

    /// The file with the display's cookie, for the environment of web view processes.
    package var authorityFile: String { authority.path }

    /// Keeps it from ending while no web view is there.
    private let hold: DisplayHold

    /// Ends Xvfb where its input ends before a line has come: nobody holds the display then. Afterwards Xvfb ends by
    /// itself, when its last client has left. Xvfb alone gets the outputs: their end has to mean that it is gone.
    /// Without `trap` the signals that a terminal sends to all would end the shell first, and with it the file with the
    /// cookie would stay.
    private static let keeper = """
        trap : HUP INT TERM
        cookie=$1
        shift
        "$@" </dev/null &
        exec >/dev/null 2>&1
        read -r held || kill "$!"
        while kill -0 "$!"; do wait "$!"; done
        rm -f -- "$cookie"
        """

    /// Starts Xvfb and waits until it takes connections.
    ///
    /// - Throws: ``HostError/Code/badUse`` when Xvfb is not installed or does not start.
    package static func start() async throws -> VirtualDisplay {
        guard let program = Executable.inPath("Xvfb") else {
            throw HostError(
                code: .badUse,
                message: "Xvfb is missing, which a web view needs here; run scripts/setup, or install "
                    + "the package xvfb.")
        }
        let authority = try DisplayAuthority()
        let child: HelperProgram
        do {
            child = try HelperProgram(
                "/bin/sh",
                [
                    "-c", keeper, "sh", authority.path, program, "-displayfd", "1", "-auth", authority.path, "-screen",
                    "0", "1280x1600x24", "-nolisten", "tcp", "-terminate",
                ])
        } catch {
            authority.remove()
            throw error
        }
        for try await line in child.lines {
            if let number = Int(String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)) {
                let hold = try await DisplayHold.take(number, authority)
                child.write(Data("held\n".utf8))
                return VirtualDisplay(":\(number)", child, authority, hold)
            }
        }
        throw HostError(code: .badUse, message: "Xvfb did not start: \(child.errorText)")
    }

    private init(_ name: String, _ child: HelperProgram, _ authority: DisplayAuthority, _ hold: DisplayHold) {
        self.authority = authority
        self.name = name
        self.child = child
        self.hold = hold
    }

    deinit { stop() }

    /// Lets it end as soon as no web view uses it.
    package func stop() {
        hold.release()
    }
}
#endif
