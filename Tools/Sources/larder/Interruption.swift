import Dispatch
import Foundation
import Locking

/// Waiting for SIGINT or SIGTERM: the first asks for an end, and what is under way may be brought to one; another one
/// ends the process at once, with the status that shells give to a signal.
///
/// Dispatch sources may be cancelled from any thread.
final class Interruption: @unchecked Sendable {
    private let sources: [any DispatchSourceSignal]
    private let first: AsyncStream<Void>

    /// Returns when no signal is lost any more.
    static func expect() async -> Interruption {
        let (first, continuation) = AsyncStream.makeStream(of: Void.self)
        let hasCome = LockedBox(false)
        let queue = DispatchQueue(label: "larder.interruption")
        var sources: [any DispatchSourceSignal] = []
        for number in [SIGINT, SIGTERM] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                let isFirst = hasCome.withLock { hasCome -> Bool in
                    defer { hasCome = true }
                    return !hasCome
                }
                guard isFirst else { _exit(128 + number) }
                continuation.finish()
            }
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.resume()
            }
            sources.append(source)
        }
        return Interruption(sources, first)
    }

    private init(_ sources: [any DispatchSourceSignal], _ first: AsyncStream<Void>) {
        (self.sources, self.first) = (sources, first)
    }

    /// Returns at the first signal. To be called once.
    func wait() async {
        for await _ in first {}
    }

    /// From now on signals are ignored.
    func cancel() {
        for source in sources { source.cancel() }
    }
}
