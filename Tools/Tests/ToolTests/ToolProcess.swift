import ChildPrograms
import Foundation
import Glibc
import Testing

/// The built `larder`, as a process.
struct ToolProcess: Sendable {
    struct Output: Sendable {
        var status: Int32
        var out: String
        var err: String
    }

    /// Where SwiftPM put the programs: beside the test bundle.
    static let folder: String = {
        let own = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return own.deletingLastPathComponent().path
    }()

    static var larder: String { folder + "/larder" }

    /// Runs a program to its end.
    static func run(
        _ program: String = larder, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Output {
        let (out, err) = (try OutputPipe(), try OutputPipe())
        let process = try ChildProcess(
            program, arguments, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
            output: .pipe(out), errors: .pipe(err))
        async let outData = out.readAll()
        async let errData = err.readAll()
        let (outText, errText) = await (
            String(decoding: outData, as: UTF8.self), String(decoding: errData, as: UTF8.self)
        )
        return Output(status: await process.ended().status, out: outText, err: errText)
    }

    /// A test waits for its answer, however busy the machine is; what hangs is ended in the end.
    static func curl(_ arguments: [String]) async throws -> Output {
        try await run("/usr/bin/curl", ["-sS", "--max-time", "1200"] + arguments)
    }

    /// Copies `larder` to where an ordinary user may start it.
    ///
    /// By another program: a file that this process has open for writing can't be started (ETXTBSY), and a child that
    /// is started by another test just then has it open as well until it is a program of its own.
    static func copy(to path: String) throws {
        let copying = try ChildProcess("/bin/cp", [larder, path])
        guard copying.wait() == .exited(0) else { throw CocoaError(.fileWriteUnknown) }
    }
}

/// `larder proxy`, running until it is stopped.
final class RunningProxy: Sendable {
    let process: ChildProcess
    /// The first line: the address to use.
    let address: String

    /// - Parameters:
    ///   - command: The program and what stands before its own arguments.
    ///   - errors: Gets what it writes to standard error; nobody does unless set.
    init(_ arguments: [String], by command: [String] = [ToolProcess.larder], errors: OutputPipe? = nil) throws {
        let out = try OutputPipe()
        // Our own is not to be shared: a proxy that outlives a crashed test would keep the runner waiting.
        process = try ChildProcess(
            command[0], command.dropFirst() + ["proxy"] + arguments, output: .pipe(out),
            errors: errors.map { .pipe($0) } ?? .nothing)
        let line = out.read { $0.contains(0x0A) }
        address = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit { stop() }

    func stop() {
        process.terminate()
        process.wait()
    }

    func killAtOnce() {
        process.signal(SIGKILL)
        process.wait()
    }

    /// A figure of /proc/PID/status in KiB, such as `VmHWM`, the most that was ever resident.
    func memory(_ name: String) -> Int? {
        let text = try? String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }
}
