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
