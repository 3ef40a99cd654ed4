import Foundation
import Glibc
import LarderHost
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
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        process.standardInput = FileHandle.nullDevice
        try process.runWithOpenSignals()
        async let outData = PipeReader.readAll(out)
        async let errData = PipeReader.readAll(err)
        let (outText, errText) = await (
            String(decoding: outData, as: UTF8.self), String(decoding: errData, as: UTF8.self)
        )
        process.waitUntilExit()
        return Output(status: process.terminationStatus, out: outText, err: errText)
    }

    static func curl(_ arguments: [String]) async throws -> Output {
        try await run("/usr/bin/curl", ["-sS", "--max-time", "120"] + arguments)
    }
}

/// `larder proxy`, running until it is stopped.
final class RunningProxy: Sendable {
    let process: Process
    /// The first line: the address to use.
    let address: String

    /// - Parameters:
    ///   - command: The program and what stands before its own arguments.
    ///   - errors: Gets what it writes to standard error; nobody does unless set.
    init(_ arguments: [String], by command: [String] = [ToolProcess.larder], errors: Pipe? = nil) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = command.dropFirst() + ["proxy"] + arguments
        let out = Pipe()
        process.standardOutput = out
        // Not ours to share: a proxy that outlives a crashed test would keep the runner waiting.
        if let errors { process.standardError = errors } else { process.standardError = FileHandle.nullDevice }
        process.standardInput = FileHandle.nullDevice
        try process.runWithOpenSignals()
        let line = PipeReader.read(out) { $0.contains(0x0A) }
        address = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit { stop() }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    func killAtOnce() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// A figure of /proc/PID/status in KiB, such as `VmHWM`, the most that was ever resident.
    func memory(_ name: String) -> Int? {
        let text = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }
}

/// Reads pipes with read(2): `FileHandle` traps on Linux when a signal interrupts it.
enum PipeReader {
    /// Until the end, or until enough has come, on a thread of its own: those that tasks share are few, and what the process talks to may be tasks
    /// of this one.
    static func readAll(
        _ pipe: Pipe, until isEnough: @escaping @Sendable (Data) -> Bool = { _ in false }
    ) async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: read(pipe, until: isEnough)) }
        }
    }

    /// Until the end, or until enough has come.
    static func read(_ pipe: Pipe, until isEnough: (Data) -> Bool = { _ in false }) -> Data {
        var all = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(all) {
            let count = Glibc.read(pipe.fileHandleForReading.fileDescriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            all += buffer[..<count]
        }
        return all
    }
}
