import Dispatch
import Foundation

/// Waiting for SIGINT or SIGTERM.
enum Interruption {
    static func wait() async {
        let signals = AsyncStream<Void> { continuation in
            let sources = [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
                source.setEventHandler { continuation.yield() }
                source.resume()
                return source
            }
            let held = Held(sources: sources)
            continuation.onTermination = { _ in held.cancel() }
        }
        for await _ in signals { return }
    }

    /// Keeps the sources alive as long as someone waits. Dispatch sources may be cancelled from any thread.
    private struct Held: @unchecked Sendable {
        var sources: [any DispatchSourceSignal]

        func cancel() {
            for source in sources { source.cancel() }
        }
    }
}
