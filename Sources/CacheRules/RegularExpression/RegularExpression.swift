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
        /// The fault, and advice, in one or two sentences.
        package var message: String
        /// The octet of the pattern with the mistake, from zero.
        package var offset: Int

        public var description: String { "\(message) (at octet \(offset + 1) of the pattern)" }
    }
}

/// Compiles a parsed pattern to a program, and stops as soon as it reaches a limit.
struct RegularExpressionCompiler {
    private var program = RegularExpressionProgram()
    /// The number of copied parts without instructions, such as those of `(){1000}`.
    private var visits = 0

    static func compile(_ pattern: String) throws(RegularExpression.Failure) -> RegularExpressionProgram {
        guard pattern.utf8.count <= RegularExpression.lengthLimit else {
            throw .init(
                message: "A pattern may have at most \(RegularExpression.lengthLimit) octets.",
                offset: RegularExpression.lengthLimit)
        }
        let syntax = try RegularExpressionParser.parse(pattern)
        var compiler = RegularExpressionCompiler()
        try compiler.add(syntax)
        try compiler.emit(.match)
        return compiler.program
    }

    private static let tooLarge = RegularExpression.Failure(
        message:
            "The pattern needs more than \(RegularExpression.stateLimit) states; lower the bounds in its braces.",
        offset: 0)

    private mutating func emit(_ instruction: RegularExpressionProgram.Instruction) throws(RegularExpression.Failure) {
        guard program.count < RegularExpression.stateLimit else { throw Self.tooLarge }
        program.append(instruction)
    }

    private mutating func add(_ syntax: RegularExpressionSyntax) throws(RegularExpression.Failure) {
        visits += 1
        guard visits <= 4 * RegularExpression.stateLimit else { throw Self.tooLarge }
        switch syntax {
        case .empty: break
        case .octets(let set): try emit(.octets(set))
        case .start: try emit(.assertStart)
        case .end: try emit(.assertEnd)
        case .sequence(let parts): for part in parts { try add(part) }
        case .alternatives(let parts): try addAlternatives(parts)
        case .repeated(let part, let least, let most):
            for _ in 0..<least { try add(part) }
            guard let most else { return try addLoop(part) }
            try addOptional(part, times: most - least)
        }
    }

    private mutating func addAlternatives(
        _ parts: [RegularExpressionSyntax]
    ) throws(RegularExpression.Failure) {
        var ends: [Int] = []
        for part in parts.dropLast() {
            let split = program.count
            try emit(.jump(split))
            try add(part)
            ends.append(program.count)
            try emit(.jump(split))
            program.patch(split, .split(split + 1, program.count))
        }
        if let last = parts.last { try add(last) }
        for end in ends { program.patch(end, .jump(program.count)) }
    }

    private mutating func addLoop(_ part: RegularExpressionSyntax) throws(RegularExpression.Failure) {
        let split = program.count
        try emit(.jump(split))
        try add(part)
        try emit(.jump(split))
        program.patch(split, .split(split + 1, program.count))
    }

    private mutating func addOptional(
        _ part: RegularExpressionSyntax, times: Int
    ) throws(RegularExpression.Failure) {
        var splits: [Int] = []
        for _ in 0..<times {
            splits.append(program.count)
            try emit(.jump(program.count))
            try add(part)
        }
        for split in splits { program.patch(split, .split(split + 1, program.count)) }
    }
}
