import Foundation
import Locking

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A program that we started. It is asked to end when this object goes away.
///
/// Over posix_spawn(3), waitid(2) and read(2) on threads that may block, and nothing else. Foundation's `Process` and
/// `FileHandle` and Dispatch's channels share descriptors with an event loop of their own; on Linux that ended whole
/// programs when a descriptor was closed, or its number used again, while the loop still had an event for it.
package final class ChildProcess: Sendable {
    /// Where one of its outputs goes.
    package enum Output: Sendable {
        /// `/dev/null`.
        case nothing
        /// A pipe that no other program is started into: it ends with this one's output.
        case pipe(OutputPipe)
        /// A descriptor that stays the caller's.
        case descriptor(Int32)
    }

    /// How it ended.
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)

        /// As shells count it: 128 and the number of the signal that ended it.
        package var status: Int32 {
            switch self {
            case .exited(let status): status
            case .signalled(let number): 128 + number
            }
        }
    }

    /// The system's number for it. Another process may have it once this one has ended.
    package let identifier: pid_t
    private let life: Life

    /// Starts a program: no signal is blocked or ignored in it, it has a process group of its own, and of our
    /// descriptors it gets the three standard ones that are named here.
    ///
    /// - Parameters:
    ///   - program: Its path; `PATH` is not searched.
    ///   - environment: This process's own where `nil`.
    ///   - input: Its standard input; `/dev/null` where `nil`.
    /// - Throws: `POSIXError` when it can't be started.
    package init(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil, input: InputPipe? = nil,
        output: Output = .nothing, errors: Output = .nothing
    ) throws {
        let environment = environment ?? ProcessInfo.processInfo.environment
        defer {
            // The ends that are the child's: while we have them open too, no end of the pipe would be seen.
            input?.seal()
            for case .pipe(let pipe) in [output, errors] { pipe.seal() }
        }
        identifier = try Spawning.start(
            program, [program] + arguments, environment.map { "\($0.key)=\($0.value)" },
            standard: [try input?.childEnd(), try Self.descriptor(output), try Self.descriptor(errors)])
        life = Life(identifier)
        life.watch()
    }

    deinit { signal(SIGTERM) }

    private static func descriptor(_ output: Output) throws -> Int32? {
        switch output {
        case .nothing: nil
        case .pipe(let pipe): try pipe.childEnd()
        case .descriptor(let descriptor): descriptor
        }
    }

    /// How it ended; `nil` while it runs.
    package var ending: Ending? { life.current }

    /// Sends it a signal, if it has not ended.
    package func signal(_ number: Int32) { life.signal(number) }

    /// Asks it to end: SIGTERM.
    package func terminate() { signal(SIGTERM) }

    /// Waits for its end, and blocks the thread meanwhile.
    @discardableResult
    package func wait() -> Ending { life.wait() }

    /// Returns when it has ended.
    @discardableResult
    package func ended() async -> Ending {
        await withCheckedContinuation { continuation in life.onEnd { continuation.resume(returning: $0) } }
    }
}

/// The state of a process, shared with the thread that waits for it.
///
/// Unchecked because everything that changes is used under the condition's lock.
private final class Life: @unchecked Sendable {
    private let identifier: pid_t
    private let condition = NSCondition()
    private var ending: ChildProcess.Ending?
    private var listeners: [@Sendable (ChildProcess.Ending) -> Void] = []

    init(_ identifier: pid_t) {
        self.identifier = identifier
    }

    /// A thread of its own, because waiting blocks and there are few threads for tasks.
    func watch() {
        Thread.detachNewThread { [self] in
            // Its number stays its own until it is waited for, which happens where no signal can be sent meanwhile.
            var information = siginfo_t()
            while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            finish()
        }
    }

    private func finish() {
        condition.lock()
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        // wait(2): the low seven bits are the signal's number, the next eight those of the exit status.
        let number = status & 0x7F
        let end: ChildProcess.Ending = number == 0 ? .exited((status >> 8) & 0xFF) : .signalled(number)
        ending = end
        let listeners = listeners
        self.listeners = []
        condition.broadcast()
        condition.unlock()
        for listener in listeners { listener(end) }
    }

    var current: ChildProcess.Ending? {
        condition.withLock { ending }
    }

    func signal(_ number: Int32) {
        condition.withLock {
            if ending == nil { _ = kill(identifier, number) }
        }
    }

    func wait() -> ChildProcess.Ending {
        condition.withLock {
            while true {
                if let ending { return ending }
                condition.wait()
            }
        }
    }

    func onEnd(_ listener: @escaping @Sendable (ChildProcess.Ending) -> Void) {
        let known = condition.withLock { () -> ChildProcess.Ending? in
            if ending == nil { listeners.append(listener) }
            return ending
        }
        if let known { listener(known) }
    }
}
