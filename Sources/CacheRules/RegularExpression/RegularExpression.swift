/// A regular expression that cannot hang: matching a text of n octets takes at most n times ``stateLimit`` steps.
///
/// Supported: literal text; `.` for any one octet; classes such as `[a-z_]`, `[^/]`, `\d`, `\w`, `\s` and
/// `\D`, `\W`, `\S`; groups `( )` and `(?: )`; alternatives `|`; `*`, `+`, `?`, `{m}`, `{m,}` and `{m,n}` up to 1,000,
/// with an optional `?` after them, which does not change whether a text matches; `^` and `$` for start and end of the
/// text; `\` before punctuation, `\t`, `\n`, `\r`, `\xHH`. Look-around, back-references, word boundaries, named groups
/// and flags are refused, with a message that says so.
///
/// It matches UTF-8 octets, so `.` is one octet and not one character; a letter outside ASCII means its octets, but is
/// not allowed in a class. It matches if any part of the text does, unless `^` and `$` say otherwise.
public struct RegularExpression: Hashable, Sendable {
    /// The pattern as written.
    public let pattern: String
    let program: RegularExpressionProgram

    /// The most octets of a pattern.
    package static let lengthLimit = 1_024
    /// The most states of its automaton; `a{500}` takes 500.
    package static let stateLimit = 2_000

    public init(_ pattern: String) throws(Failure) {
        self.pattern = pattern
        program = try RegularExpressionCompiler.compile(pattern)
    }

    /// Whether a part of the text matches.
    package func matches(_ text: String) -> Bool {
        Subject.withBytes(text) { program.matches($0) }
    }

    /// Whether a part of the target URI matches: scheme and host in lower case, then the rest as presented.
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

    /// Why a pattern is refused.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// What is wrong, and advice, in one or two sentences.
        package var message: String
        /// The octet of the pattern with the mistake, from zero.
        package var offset: Int

        public var description: String { "\(message) (at octet \(offset + 1) of the pattern)" }
    }
}
