import ChildPrograms
import Glibc
import Locking
import WebVisit

/// The three standard descriptors, sorted out before any other process starts.
///
/// The web view's helper processes inherit 0, 1 and 2. They must not hold the tool's pipes open, nor write among our
/// lines; and what a page writes to its console comes out of them as text. So the originals move to descriptors that
/// are closed on exec, 0 becomes `/dev/null`, and 1 and 2 become one pipe whose other end we read.
struct StandardStreams {
    /// Where the tool's commands come from. Non-blocking.
    let commands: Int32
    /// Where events go to.
    let events: Int32
    /// Where diagnostics for people go to.
    let diagnostics: Int32
    /// The text that the helper processes, and this one, write to 1 and 2. Non-blocking.
    let output: Int32
    /// Held while a line is written, as nobody else could go on meanwhile anyway.
    private let writing = LockedBox(())

    /// Moves the originals away. Call once, before GTK is initialised.
    ///
    /// - Throws: ``VisitFailure`` with code `fileSystem` if there are no descriptors left.
    init() throws(VisitFailure) {
        commands = fcntl(0, F_DUPFD_CLOEXEC, 3)
        events = fcntl(1, F_DUPFD_CLOEXEC, 3)
        diagnostics = fcntl(2, F_DUPFD_CLOEXEC, 3)
        var ends: [Int32] = [-1, -1]
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard commands >= 0, events >= 0, diagnostics >= 0, null >= 0, pipe(&ends) == 0 else {
            throw VisitFailure(
                code: .fileSystem,
                message: "The standard descriptors cannot be duplicated (errno \(errno)); "
                    + "the process may have too many open files.")
        }
        output = ends[0]
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        _ = dup2(null, 0)
        _ = dup2(ends[1], 1)
        _ = dup2(ends[1], 2)
        close(null)
        close(ends[1])
        for descriptor in [commands, output] {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }
    }

    /// Writes an event as one line. A tool that has gone away is noticed at the end of its commands, not here.
    ///
    /// Exchanges are told from any thread. A pipe takes long lines in parts, so one line is written after the other.
    func send(_ event: VisitEvent) {
        guard let line = try? JSONLine.encode(event, within: OutputPipe.lineLimit) else { return }
        writing.withLock { _ in StandardStreams.write(Array(line), to: events) }
    }

    /// Writes all bytes, waiting where need be.
    static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&ready, 1, -1)
            } else if errno != EINTR {
                return
            }
        }
    }
}
