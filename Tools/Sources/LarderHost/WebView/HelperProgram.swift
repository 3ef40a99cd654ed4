import CacheEngine
import ChildPrograms
import Dispatch
import Foundation
import Locking

/// A program of ours that we started, with its output as lines. It is ended when this object goes away.
final class HelperProgram: Sendable {
    /// The lines of its standard output, without line ends; ends with the program's output, or with
    /// ``end(within:by:)``.
    let lines: OutputLines

    private let process: ChildProcess
    /// Only this process has it open: a child gets none of our descriptors but its standard ones.
    private let input: InputPipe
    private let errors = LockedBox(Data())
    /// A program that does not read must keep nobody but this.
    private let writing = DispatchQueue(label: "larder.helper.input")

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

    /// The system's number for the process.
    var processIdentifier: Int32 { process.identifier }

    /// The end of what it wrote to standard error.
    var errorText: String {
        errors.withLock { String(decoding: $0, as: UTF8.self) }.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Writes behind what was written before, and waits for nothing. A program that has closed its input says by the
    /// end of its output that it is gone.
    func write(_ data: Data) {
        writing.async { [input] in try? input.write(data) }
    }

    func terminate() {
        process.terminate()
    }

    /// Returns once it has ended by itself.
    func ended() async { await process.ended() }

    /// Ends it, whatever it does: asks it to, and kills it after some time. Then its lines end, also where a program
    /// that it has started holds its output open.
    func end(within grace: Duration, by clock: EngineClock) async {
        process.terminate()
        let killing = Task { [process] in
            try await clock.sleep(grace)
            process.signal(SIGKILL)
        }
        await process.ended()
        killing.cancel()
        lines.finish()
    }
}
