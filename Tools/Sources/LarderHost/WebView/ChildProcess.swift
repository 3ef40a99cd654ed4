import Foundation
import Locking

/// A program that we started, with its output as lines. It is ended when this object goes away.
final class ChildProcess: Sendable {
    /// The lines of its standard output, without line ends; ends with the program's output.
    let lines: AsyncStream<Data>

    private let process: Process
    /// Only this process has it open: a child gets none of our descriptors but its standard ones.
    private let input: FileHandle
    private let errors = LockedBox(Data())

    /// - Throws: ``HostError/Code/badUse`` when the program can't be started.
    init(_ program: String, _ arguments: [String], environment: [String: String]? = nil) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        if let environment { process.environment = environment }
        let (output, errorOutput, inputPipe) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errorOutput
        process.standardInput = inputPipe
        lines = LineReader.lines(of: output.fileHandleForReading)
        let errors = errors
        LineReader.read(errorOutput.fileHandleForReading) { data in
            // Enough to say why a program failed, however much it prints.
            if let data { errors.withLock { $0 = ($0 + data).suffix(4_096) } }
        }
        self.process = process
        input = inputPipe.fileHandleForWriting
        do {
            try process.runWithOpenSignals()
        } catch {
            throw HostError(code: .badUse, message: "'\(program)' can't be started.", cause: error)
        }
    }

    deinit { terminate() }

    /// The end of what it wrote to standard error.
    var errorText: String {
        errors.withLock { String(decoding: $0, as: UTF8.self) }.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func write(_ data: Data) throws {
        try input.write(contentsOf: data)
    }

    func terminate() {
        if process.isRunning { process.terminate() }
    }
}
