import ChildPrograms
import Foundation
import Glibc

/// `store-stress`, running; several may write to one pipe, and then their lines have one order.
final class StressProcess {
    /// Where SwiftPM put the programs: beside the test bundle.
    static let folder: String = {
        let own = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return own.deletingLastPathComponent().path
    }()

    private let process: ChildProcess

    /// - Parameter faults: Variables of `faulty_files.h` without their prefix; with any, the library is preloaded.
    init(_ arguments: [String], faults: [String: String] = [:], into pipe: LinePipe) throws {
        var environment = ProcessInfo.processInfo.environment
        // A trap is a line on standard error; the report of where takes seconds.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        if !faults.isEmpty { environment["LD_PRELOAD"] = Self.folder + "/libFaultyFiles.so" }
        for (name, value) in faults { environment["FAULTY_" + name] = value }
        let end = ChildProcess.Output.descriptor(pipe.writeEnd)
        process = try ChildProcess(
            Self.folder + "/store-stress", arguments, environment: environment, output: end, errors: end)
    }

    deinit {
        signal(SIGKILL)
        process.wait()
    }

    func signal(_ number: Int32) { process.signal(number) }

    /// Whether it has stopped itself; still to be asked again afterwards.
    var isStopped: Bool {
        var information = siginfo_t()
        let options = WSTOPPED | WNOHANG | WNOWAIT
        return waitid(P_PID, id_t(process.identifier), &information, options) == 0
            && information.si_signo == SIGCHLD
    }

    /// Waits until it has stopped itself.
    func waitUntilStopped() {
        var information = siginfo_t()
        while waitid(P_PID, id_t(process.identifier), &information, WSTOPPED | WNOWAIT) < 0, errno == EINTR {}
    }

    /// The number of the signal that ended it; `nil` where it ended by itself.
    func wait() -> Int32? {
        guard case .signalled(let number) = process.wait() else { return nil }
        return number
    }
}

/// A pipe that is read line by line.
final class LinePipe {
    private(set) var writeEnd: Int32
    private let readEnd: Int32
    private var buffer: [UInt8] = []
    private var start = 0
    private var piece = [UInt8](repeating: 0, count: 65_536)
    /// Bytes of the lines that were taken.
    private(set) var taken = 0
    /// Nothing was said for this long: the processes hang. Far above what any work takes.
    static let patience: Int32 = 1_200_000

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        sealed()
        Glibc.close(readEnd)
    }

    /// No more processes will be started into it, so it ends with those that are running.
    func sealed() {
        if writeEnd >= 0 { Glibc.close(writeEnd) }
        writeEnd = -1
    }

    /// Bytes that were said and not taken yet.
    var backlog: Int {
        var waiting: Int32 = 0
        // FIONREAD, a macro that Swift does not see.
        _ = ioctl(readEnd, 0x541B, &waiting)
        return buffer.count - start + Int(waiting)
    }

    /// The next line; `nil` at the end.
    func next() throws -> String? {
        while true {
            if let end = buffer[start...].firstIndex(of: 0x0A) {
                taken += end + 1 - start
                defer { start = end + 1 }
                return String(decoding: buffer[start..<end], as: UTF8.self)
            }
            buffer.removeFirst(start)
            start = 0
            var waiting = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waiting, 1, Self.patience)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { throw POSIXError(.ETIMEDOUT) }
            let count = Glibc.read(readEnd, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            // What was half written when its process died is no line.
            guard count > 0 else { return nil }
            buffer += piece[..<count]
        }
    }
}
