import ChildPrograms
import Foundation
import Glibc
import Testing

/// What the tool and the tests rely on when they start programs.
@Suite("child processes", .timeLimit(.minutes(60)))
struct ChildProcessTests {
    private static func shell(
        _ script: String, input: InputPipe? = nil, output: ChildProcess.Output = .nothing
    ) throws -> ChildProcess {
        try ChildProcess("/bin/sh", ["-c", script], input: input, output: output)
    }

    @Test("how it ended is told to everybody who asks, before and afterwards")
    func endings() async throws {
        let left = try Self.shell("exit 7")
        async let first = left.ended()
        #expect(await left.ended() == .exited(7))
        #expect(await first == .exited(7))
        #expect(left.wait() == .exited(7) && left.ending == .exited(7))
        // Nobody is meant any more, whoever has the number now.
        left.signal(SIGKILL)
        let killed = try ChildProcess("/bin/sleep", ["600"])
        #expect(killed.ending == nil)
        killed.terminate()
        #expect(await killed.ended() == .signalled(SIGTERM))
        #expect(throws: POSIXError(.ENOENT)) { try ChildProcess("/not/there", []) }
    }

    @Test("it gets its three descriptors, no other of ours, and no signal is blocked or ignored in it")
    func inherited() async throws {
        let foreign = open("/dev/null", O_RDONLY)
        defer { close(foreign) }
        func said(_ program: String, _ arguments: String...) async throws -> [String] {
            let output = try OutputPipe()
            let child = try ChildProcess(program, arguments, environment: [:], output: .pipe(output))
            let text = String(decoding: await output.readAll(), as: UTF8.self)
            #expect(await child.ended() == .exited(0))
            return text.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        // The last one is that of the listing itself.
        #expect(try await said("/bin/ls", "/proc/self/fd") == ["0", "1", "2", "3"])
        let signals = try await said("/bin/grep", "-hE", "^Sig(Blk|Ign)", "/proc/self/status")
        #expect(signals.count == 4 && signals[0] == "SigBlk:" && signals[2] == "SigIgn:")
        let (blocked, ignored) = (UInt64(signals[1], radix: 16) ?? .max, UInt64(signals[3], radix: 16) ?? .max)
        // Numbers 32 and 33 are the C library's own.
        #expect(blocked == 0 && ignored & ~0x1_8000_0000 == 0, "\(signals)")
    }

    @Test("what is written arrives, and who does not read any more is an error, not a signal")
    func input() async throws {
        let (input, output) = (try InputPipe(), try OutputPipe())
        let child = try Self.shell("head -c 300000 | wc -c; read -r more", input: input, output: .pipe(output))
        try input.write(Data(repeating: 65, count: 299_999) + [10])
        #expect(String(decoding: await output.readAll { $0.contains(0x0A) }, as: UTF8.self).hasPrefix("300000"))
        child.signal(SIGKILL)
        await child.ended()
        #expect(throws: POSIXError(.EPIPE)) { try input.write(Data("more\n".utf8)) }
    }

    @Test("many at once, each with pipes of its own that others read while more are started")
    func many() async throws {
        let failures = await withTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask {
                    guard let output = try? OutputPipe(),
                        let child = try? Self.shell("echo \(number); echo end", output: .pipe(output))
                    else { return 1 }
                    var lines: [String] = []
                    do {
                        for try await line in output.lines() { lines.append(String(decoding: line, as: UTF8.self)) }
                    } catch {
                        return 1
                    }
                    return await child.ended() == .exited(0) && lines == ["\(number)", "end"] ? 0 : 1
                }
            }
            return await group.reduce(0, +)
        }
        #expect(failures == 0)
    }
}
