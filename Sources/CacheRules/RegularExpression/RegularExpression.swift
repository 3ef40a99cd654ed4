/// A regular expression that cannot hang: a text of n octets is decided in at most n times ``stateLimit`` steps.
///
/// What is understood: literal text; `.` for any one octet; classes such as `[a-z_]`, `[^/]`, `\d`, `\w`, `\s` and
/// `\D`, `\W`, `\S`; groups `( )` and `(?: )`; alternatives `|`; `*`, `+`, `?`, `{m}`, `{m,}` and `{m,n}` up to 1,000,
/// with a `?` behind them that makes no difference to whether something fits; `^` and `$` for start and end of the
/// text; `\` before punctuation, `\t`, `\n`, `\r`, `\xHH`. Look-around, references back to groups, word boundaries,
/// named groups and flags are refused, with words that say so.
///
/// It is compared with UTF-8 octets, so `.` is one octet and not one character; a letter outside ASCII stands for its
/// octets, but not in a class. It fits where any part of the text does, unless `^` and `$` say otherwise.
public struct RegularExpression: Hashable, Sendable {
    /// As it was written.
    public let pattern: String
    let program: RegularExpressionProgram

    /// The most octets of a pattern.
    public static let lengthLimit = 1_024
    /// The most states of the automaton that it becomes; `a{500}` takes 500.
    public static let stateLimit = 2_000

    public init(_ pattern: String) throws(Failure) {
        self.pattern = pattern
        program = try RegularExpressionCompiler.compile(pattern)
    }

    /// Whether it fits somewhere in the text.
    public func matches(_ text: String) -> Bool {
        Subject.withBytes(text) { program.matches($0) }
    }

    /// Whether it fits somewhere in the target URI: scheme and host in lower case, then the rest as presented.
    func fits(_ subject: borrowing Subject) -> Bool {
        let scheme = subject.scheme ?? ""
        let (authority, target) = (subject.authority, subject.target)
        return program.search { run in
            for byte in scheme.utf8 { run.take(byte.asciiLowercased) }
            for byte in "://".utf8 { run.take(byte) }
            for byte in authority { run.take(byte.asciiLowercased) }
            run.feed(target)
        }
    }

    public static func == (one: Self, other: Self) -> Bool {
        one.pattern.utf8.elementsEqual(other.pattern.utf8)
    }
    public func hash(into hasher: inout Hasher) { hasher.combine(pattern) }

    /// Why a pattern was refused.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// What is wrong and what helps, in one or two sentences.
        public var message: String
        /// The octet of the pattern at which it was noticed, from zero.
        public var offset: Int

        public var description: String { "\(message) (at octet \(offset + 1) of the pattern)" }
    }
}
