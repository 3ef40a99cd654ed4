import ChildPrograms
import Foundation
import Locking

/// A program of ours that we started, with its output as lines. It is ended when this object goes away.
final class HelperProgram: Sendable {
    /// The lines of its standard output, without line ends; ends with the program's output.
    let lines: AsyncStream<Data>

    private let process: ChildProcess
    /// Only this process has it open: a child gets none of our descriptors but its standard ones.
    private let input: InputPipe
    private let errors = LockedBox(Data())

    /// - Throws: ``HostError/Code/badUse`` when the program can't be started.
    init(_ program: String, _ arguments: [String], environment: [String: String]? = nil) throws {
        do {
            let (input, output, errorOutput) = (try InputPipe(), try OutputPipe(), try OutputPipe())
            process = try ChildProcess(
                program, arguments, environment: environment, input: input, output: .pipe(output),
                errors: .pipe(errorOutput))
            self.input = input
            lines = output.lines()
            let errors = errors
            errorOutput.each { data in
                // Enough to say why a program failed, however much it prints.
                if let data { errors.withLock { $0 = ($0 + data).suffix(4_096) } }
            }
        } catch {
            throw HostError(code: .badUse, message: "'\(program)' can't be started.", cause: error)
        }
    }

    /// What the system calls it.
    var processIdentifier: Int32 { process.identifier }

    /// The end of what it wrote to standard error.
    var errorText: String {
        errors.withLock { String(decoding: $0, as: UTF8.self) }.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func write(_ data: Data) throws {
        try input.write(data)
    }

    func terminate() {
        process.terminate()
    }
}
