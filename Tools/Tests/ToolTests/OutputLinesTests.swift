import ChildPrograms
import Foundation
import Glibc
import Testing

@Suite("Lines of a program's output", .timeLimit(.minutes(20)))
struct OutputLinesTests {
    private static func lines(
        _ script: String, limit: Int = OutputPipe.lineLimit
    ) throws -> (ChildProcess, OutputLines) {
        let output = try OutputPipe()
        return (try ChildProcess("/bin/sh", ["-c", script], output: .pipe(output)), output.lines(limit: limit))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var pieces: [String]
        var lines: [LineBuffer.Line]
        var testDescription: String { "\(pieces)" }
    }

    private static func line(_ text: String, omitted: Int = 0) -> LineBuffer.Line {
        LineBuffer.Line(bytes: Array(text.utf8), omitted: omitted)
    }

    @Test(
        "lines are cut at line feeds, however the bytes arrive, and at the limit",
        arguments: [
            Row(pieces: ["a\nb"], lines: [line("a")]),
            Row(pieces: ["a", "\n", "\n", "b\n"], lines: [line("a"), line(""), line("b")]),
            Row(pieces: ["1234\n12345\n1\n"], lines: [line("1234"), line("1234", omitted: 1), line("1")]),
            Row(pieces: ["123", "456", "789\n1\n"], lines: [line("1234", omitted: 5), line("1")]),
        ])
    func cut(_ row: Row) {
        var buffer = LineBuffer(limit: 4)
        #expect(row.pieces.flatMap { buffer.append(Array($0.utf8)) } == row.lines)
    }

    /// Read in time that grows with the square of the length, this takes hours.
    @Test("a line of 60 MB is read")
    func longLine() async throws {
        let (child, lines) = try Self.lines("head -c 60000000 /dev/zero; echo; echo end")
        var lengths: [Int] = []
        for try await line in lines { lengths.append(line.count) }
        #expect(await child.ended() == .exited(0))
        #expect(lengths == [60_000_000, 3])
    }

    @Test("a line without an end is an error at the limit, and what came before it is given")
    func endless() async throws {
        let (child, lines) = try Self.lines("echo first; cat /dev/zero", limit: 1 << 20)
        var seen: [Data] = []
        var error: OutputLines.LineTooLong?
        do {
            for try await line in lines { seen.append(line) }
        } catch let tooLong as OutputLines.LineTooLong {
            error = tooLong
        }
        #expect(error == OutputLines.LineTooLong(limit: 1 << 20))
        #expect(seen == [Data("first".utf8)])
        child.signal(SIGKILL)
    }

    @Test("a program that writes without end waits for its reader, and is let go of when told")
    func flood() async throws {
        let (child, lines) = try Self.lines("exec yes")
        var count = 0
        for try await line in lines {
            #expect(line == Data("y".utf8))
            count += 1
            if count == 100_000 { lines.finish() }
        }
        // What may wait for its reader, and what was read by then.
        let most = 100_000 + OutputLines.waitingLimit / 2 + 65_536
        #expect(count < most)
        child.signal(SIGKILL)
    }
}
