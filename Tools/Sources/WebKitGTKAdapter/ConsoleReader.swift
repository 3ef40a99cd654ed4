import ChildPrograms
import WebVisit

/// Finds the console's warnings and errors in what the web process writes.
///
/// WebKit's `enable-write-console-messages-to-stdout` writes, to standard error in 2.50, lines such as
///
///     https://shop.test/app.js:3:12: CONSOLE JS ERROR TypeError: undefined is not an object
///     CONSOLE SECURITY ERROR Refused to load …
///     https://shop.test/:1:20: CONSOLE WARN first line of a warning
///     its second line
///
/// The place is missing where WebKit knows none, the source (`JS`, `SECURITY`, …) where the page itself called
/// `console`. Lines that follow in the same write belong to the message. WebKit writes nothing for a session that is
/// ephemeral by type.
struct ConsoleReader {
    /// The warnings and errors so far, at most ``limit``.
    private(set) var messages: [ConsoleMessage] = []

    /// A page in an endless loop of errors must not fill the memory.
    private static let limit = 1_000
    private static let textLimit = 8_192
    /// Longer lines are cut, which the message says.
    private var lines = LineBuffer(limit: 65_536)

    /// Forgets the messages so far, when another page begins.
    mutating func forget() { messages = [] }

    /// Reads what was written, and returns the lines that are no console messages.
    mutating func read(_ bytes: [UInt8]) -> [[UInt8]] {
        /// The message whose further lines are being read.
        enum Previous { case kept, dropped, foreign }
        var previous = Previous.foreign
        var foreign: [[UInt8]] = []
        for line in lines.append(bytes) {
            let cut = line.omitted > 0 ? "… and \(line.omitted) bytes more" : ""
            let text = String(decoding: line.bytes, as: UTF8.self)
            if let (level, message) = Self.parse(text) {
                guard let level, messages.count < Self.limit else {
                    previous = .dropped
                    continue
                }
                messages.append(
                    ConsoleMessage(
                        level: level, source: message.source, text: Self.shortened(message.text, cut),
                        location: message.location))
                previous = .kept
            } else if previous == .kept, messages[messages.count - 1].text.utf8.count < Self.textLimit {
                messages[messages.count - 1].text += "\n" + Self.shortened(text, cut)
            } else if previous == .foreign {
                foreign.append(line.bytes)
            }
        }
        return foreign
    }

    /// - Parameter cut: Says what is missing of the text already.
    private static func shortened(_ text: String, _ cut: String) -> String {
        let kept = String(text.prefix(textLimit))
        let left = text.utf8.count - kept.utf8.count
        return kept + (cut.isEmpty && left > 0 ? "… and \(left) bytes more" : cut)
    }

    private typealias Message = (source: String, text: String, location: String?)

    /// The parts of a console line; no level if the message is neither a warning nor an error.
    private static func parse(_ line: String) -> (level: ConsoleMessage.Level?, message: Message)? {
        let location: String?
        var rest: Substring
        if line.hasPrefix("CONSOLE ") {
            location = nil
            rest = line.dropFirst("CONSOLE ".count)
        } else {
            guard let mark = line.firstRange(of: ": CONSOLE ") else { return nil }
            let place = String(line[..<mark.lowerBound])
            // A call of `console` itself has no place of its own.
            location = place == "[native code]" ? nil : place
            guard location == nil || place.last?.isNumber == true else { return nil }
            rest = line[mark.upperBound...]
        }
        var source = "console"
        for _ in 0..<3 {
            let word = rest.prefix { $0 != " " }
            guard !word.isEmpty, word.allSatisfy({ $0.isUppercase || $0 == "-" }) else { break }
            rest = rest.dropFirst(word.count).drop { $0 == " " }
            switch word {
            case "ERROR": return (.error, (source, String(rest), location))
            case "WARN": return (.warning, (source, String(rest), location))
            case "LOG", "INFO", "DEBUG": return (nil, (source, String(rest), location))
            case "ASSERT": break
            default: source = word.lowercased()
            }
        }
        return (nil, (source, String(rest), location))
    }
}
