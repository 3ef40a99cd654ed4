import ArgumentParser
import CacheEngine
import CachingProxy
import Dashboard
import Foundation
import HTTPCacheSemantics
import LarderHost
import ManifestBuilding
import OriginDialing
import Preloading
import ResponseStore

/// Writes the tool's output, and ends its process.
enum Console {
    static func say(_ text: String) {
        StandardStream.write(Data((text + "\n").utf8))
    }

    static func say(json value: some Encodable) throws { say(try JSONText.encode(value, isPretty: true)) }

    /// The same on one line, where several follow each other.
    static func say(jsonLine value: some Encodable) throws { say(try JSONText.encode(value)) }

    /// A line with texts that others wrote.
    static func say(untrusted text: String) { say(TerminalText.clean(text)) }

    /// One line of JSON on standard error, among those of the log.
    static func note(jsonLine value: some Encodable) {
        if let line = try? JSONText.encode(value) { note(line) }
    }

    /// Writes a problem that ends nothing: a sentence, or under `--json` a line of JSON.
    static func warn(_ message: String, json: Bool) {
        if json { note(jsonLine: ["warning": message]) } else { note("larder: " + message) }
    }

    /// Writes progress and problems; standard output stays for results.
    static func note(_ text: String) {
        StandardStream.note(Data((text + "\n").utf8))
    }

    /// Colours only on a terminal, and not where NO_COLOR is set.
    static var hasColours: Bool { hasColours(on: STDOUT_FILENO) }

    private static func hasColours(on descriptor: Int32) -> Bool {
        isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    }

    /// The time of the machine's clock.
    static var now: WallInstant { EngineClock.system.wallTime() }

    static var width: Int { width(of: STDOUT_FILENO) }

    /// The columns that a table may take; `nil` where standard output is not a terminal: then nothing is cut.
    static var tableWidth: Int? { isatty(STDOUT_FILENO) == 1 ? width : nil }

    private static func width(of descriptor: Int32) -> Int {
        var size = winsize()
        return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 100
    }

    /// Ends the process with one sentence on standard error and the status for it.
    ///
    /// - Parameter command: The command, such as `larder store list`; `nil` where it could not be
    ///   understood.
    static func leave(with error: any Error, of command: String?) -> Never {
        switch error {
        case let error as HostError: leave(error.message, error.code.exitStatus)
        case let error as UnusableRules: leave(error)
        // Causes of writes are of the system's or SQLite's, in words.
        case let error as StoreError: leave(error.code == .writeFailed ? error.description : error.message, 2)
        case let error as ProxyError: leave(error.message, 2)
        case let error as ManifestToolError: leave(error.message, 2)
        case let error as SeedError: leave(error.message, 2)
        case is DialerError: leave("\(error)", 2)
        case let code as ExitCode: exit(code.rawValue)
        case is CancellationError: exit(130)
        case let error as LarderTool.UnknownCommand: leave(error.message + " (See \(error.command) --help.)", 2)
        default: leave(withParserError: error, of: command)
        }
    }

    /// Says on standard error what is wrong with a rules file: the same text as of `larder rules check`.
    static func note(problemsOf error: UnusableRules) {
        let text = RulesProblemText(
            file: error.document.name, bytes: error.document.bytes, problems: error.problems,
            colours: hasColours(on: STDERR_FILENO), width: width(of: STDERR_FILENO))
        StandardStream.note(Data(text.render().utf8))
    }

    private static func leave(_ error: UnusableRules) -> Never {
        note(problemsOf: error)
        leave("The rules file can't be used: \(error.count).", 2)
    }

    /// Ends with the argument parser's error: help or version, or a mistake in the call.
    private static func leave(withParserError error: any Error, of command: String?) -> Never {
        let status = LarderTool.exitCode(for: error)
        if status == .success {
            say(LarderTool.fullMessage(for: error))
            exit(0)
        }
        guard status == .validationFailure else { leave("\(error)", 70) }
        // A long list of values has a line for each.
        let message = LarderTool.message(for: error).replacing("\n  - ", with: ", ").replacing(":, ", with: ": ")
        let sentence = message.split(separator: "\n").joined(separator: " ")
        leave(sentence + " (See \(command ?? misread(error)) --help.)", 2)
    }

    /// The command that the parser had reached: only its advice "See 'larder store list --help'" tells.
    private static func misread(_ error: any Error) -> String {
        let message = LarderTool.fullMessage(for: error)
        guard let start = message.range(of: "See '", options: .backwards),
            let end = message.range(of: " --help'", range: start.upperBound..<message.endIndex)
        else { return "larder" }
        return String(message[start.upperBound..<end.lowerBound])
    }

    private static func leave(_ message: String, _ status: Int32) -> Never {
        note("larder: " + TerminalText.clean(message))
        exit(status)
    }
}
