import ChildPrograms
import Dispatch
import Foundation
import Locking

/// Waiting for SIGINT or SIGTERM: the first asks for an end, and what is under way may be brought to one; another one
/// ends the process at once, with the status that shells give to a signal.
///
/// Dispatch sources may be cancelled from any thread.
final class Interruption: @unchecked Sendable {
    private let sources: [any DispatchSourceSignal]
    private let state: LockedBox<State>

    private struct State {
        var hasCome = false
        var onFirst: (@Sendable () -> Void)?
    }

    /// Returns when no signal is lost any more.
    static func expect() async -> Interruption {
        let state = LockedBox(State())
        let queue = DispatchQueue(label: "larder.interruption")
        var sources: [any DispatchSourceSignal] = []
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                let (isFirst, onFirst) = state.withLock { state in
                    defer { state.hasCome = true }
                    return (!state.hasCome, state.onFirst)
                }
                guard isFirst else { _exit(128 + number) }
                onFirst?()
            }
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.resume()
            }
            sources.append(source)
        }
        return Interruption(sources, state)
    }

    private init(_ sources: [any DispatchSourceSignal], _ state: LockedBox<State>) {
        (self.sources, self.state) = (sources, state)
    }

    /// Whether a signal has come.
    var hasCome: Bool { state.withLock { $0.hasCome } }

    /// Does this at the first signal, at once where it has come; takes the place of what was to be done before.
    func onFirst(_ body: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            state.onFirst = body
            return state.hasCome
        }
        if isDue { body() }
    }

    /// Returns at the first signal.
    func wait() async {
        await withCheckedContinuation { continuation in onFirst { continuation.resume() } }
    }

    /// Does work that has a folder for itself alone, which the work makes. The folder goes with the work; the first
    /// signal ends the process, and the folder goes as well.
    static func withFolder<Result>(_ name: String, _ work: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)")
        let interruption = await expect()
        defer {
            try? FileManager.default.removeItem(at: folder)
            interruption.cancel()
        }
        interruption.onFirst {
            try? FileManager.default.removeItem(at: folder)
            // Web views write there until they see that this process is gone.
            let last = try? ChildProcess("/bin/sh", ["-c", "sleep 1; rm -rf -- \"$1\"", "sh", folder.path])
            withExtendedLifetime(last) { _exit(128 + SIGINT) }
        }
        return try await work(folder)
    }

    /// From now on signals are ignored.
    func cancel() {
        for source in sources { source.cancel() }
    }
}
