import Foundation
import Locking

/// A program that we started, with its output as lines. It is ended when this object goes away.
final class ChildProcess: Sendable {
    /// The lines of its standard output, without line ends; ends with the program's output.
    let lines: AsyncStream<Data>

    private let process: Process
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
        let (lines, continuation) = AsyncStream.makeStream(of: Data.self)
        self.lines = lines
        let partial = LockedBox(Data())
        output.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                continuation.finish()
                return
            }
            let complete = partial.withLock { partial -> [Data] in
                partial += data
                var lines: [Data] = []
                while let end = partial.firstIndex(of: 0x0A) {
                    lines.append(Data(partial[partial.startIndex..<end]))
                    partial = Data(partial[partial.index(after: end)...])
                }
                return lines
            }
            for line in complete { continuation.yield(line) }
        }
        let errors = errors
        errorOutput.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            // Enough to say why a program failed, however much it prints.
            errors.withLock { $0 = ($0 + data).suffix(4_096) }
        }
        self.process = process
        input = inputPipe.fileHandleForWriting
        do {
            try process.run()
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
