/// A nondeterministic automaton over octets, run by following all its states at once: after K. Thompson, "Regular
/// Expression Search Algorithm", 1968. A text of n octets takes at most n times ``count`` steps, whatever the pattern.
struct RegularExpressionProgram: Sendable {
    enum Instruction: Sendable {
        /// Takes one octet of the set and continues with the next instruction.
        case octets(OctetSet)
        /// Continues at both.
        case split(Int, Int)
        case jump(Int)
        /// Continues with the next instruction only at the start of the text.
        case assertStart
        /// Continues with the next instruction only at the end of the text.
        case assertEnd
        case match
    }

    private(set) var instructions: [Instruction] = []

    var count: Int { instructions.count }

    mutating func append(_ instruction: Instruction) { instructions.append(instruction) }

    mutating func patch(_ place: Int, _ instruction: Instruction) { instructions[place] = instruction }

    func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        search { run in run.feed(text) }
    }

    /// Whether the program matches a part of the text that the closure feeds, piece by piece.
    func search(_ feed: (inout Run) -> Void) -> Bool {
        let size = instructions.count
        return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 4 * size + 1) { scratch in
            scratch.initialize(repeating: -1)
            return instructions.withUnsafeBufferPointer { instructions in
                var run = Run(instructions: instructions, scratch: scratch)
                feed(&run)
                return run.finish()
            }
        }
    }

    /// One pass over a text.
    struct Run {
        private let instructions: UnsafeBufferPointer<Instruction>
        /// The instructions that wait for an octet or the end: one list for this octet and one for the next.
        private var current: UnsafeMutableBufferPointer<Int32>
        private var next: UnsafeMutableBufferPointer<Int32>
        private var currentCount = 0
        private var nextCount = 0
        /// The last position at which each instruction was reached.
        private let reached: UnsafeMutableBufferPointer<Int32>
        private let stack: UnsafeMutableBufferPointer<Int32>
        private var position: Int32 = 0
        private var isFound = false

        fileprivate init(
            instructions: UnsafeBufferPointer<Instruction>, scratch: UnsafeMutableBufferPointer<Int32>
        ) {
            let size = instructions.count
            func part(_ index: Int, _ extra: Int = 0) -> UnsafeMutableBufferPointer<Int32> {
                UnsafeMutableBufferPointer(rebasing: scratch[index * size..<(index + 1) * size + extra])
            }
            self.instructions = instructions
            (current, next, reached, stack) = (part(0), part(1), part(2), part(3, 1))
            reach(0, atEnd: false)
            swapLists()
        }

        mutating func feed(_ text: UnsafeBufferPointer<UInt8>) { text.forEach { take($0) } }

        mutating func take(_ byte: UInt8) {
            if isFound { return }
            position += 1
            var place = 0
            while place < currentCount {
                let state = Int(current[place])
                if case .octets(let set) = instructions[state], set.contains(byte) { reach(state + 1, atEnd: false) }
                place += 1
            }
            // A match may begin at any octet.
            reach(0, atEnd: false)
            swapLists()
        }

        /// Whether the text matches, now that its end is known.
        fileprivate mutating func finish() -> Bool {
            if isFound { return true }
            // The marks of this position were set before the end was known.
            let start = position
            position += 1
            var place = 0
            while place < currentCount {
                let state = Int(current[place])
                if case .assertEnd = instructions[state] { reach(state, atEnd: true, atStart: start == 0) }
                place += 1
            }
            return isFound
        }

        private mutating func swapLists() {
            swap(&current, &next)
            (currentCount, nextCount) = (nextCount, 0)
        }

        /// Follows all instructions that take no octet.
        private mutating func reach(_ state: Int, atEnd: Bool, atStart: Bool? = nil) {
            let atStart = atStart ?? (position == 0)
            var depth = 0
            func push(_ state: Int) {
                guard reached[state] != position else { return }
                reached[state] = position
                stack[depth] = Int32(truncatingIfNeeded: state)
                depth += 1
            }
            push(state)
            while depth > 0 {
                depth -= 1
                let state = Int(stack[depth])
                switch instructions[state] {
                case .jump(let target): push(target)
                case .split(let one, let other):
                    push(other)
                    push(one)
                case .assertStart: if atStart { push(state + 1) }
                case .assertEnd where atEnd: push(state + 1)
                case .octets, .assertEnd:
                    next[nextCount] = Int32(truncatingIfNeeded: state)
                    nextCount += 1
                case .match: isFound = true
                }
            }
        }
    }
}

/// A set of octets.
struct OctetSet: Hashable, Sendable {
    private var low: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0
    private var high: UInt64 = 0

    init() {}

    init(_ byte: UInt8) { insert(byte) }

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { insert(byte) }
    }

    static let all = OctetSet().inverted
    static let allButSlash = OctetSet(0x2F).inverted
    static let digits = OctetSet(0x30...0x39)
    static let wordOctets = OctetSet(Array(0x30...0x39) + Array(0x41...0x5A) + Array(0x61...0x7A) + [0x5F])
    static let whiteSpace = OctetSet([0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D])

    mutating func insert(_ byte: UInt8) {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: low |= bit
        case 1: second |= bit
        case 2: third |= bit
        default: high |= bit
        }
    }

    mutating func formUnion(_ other: OctetSet) {
        low |= other.low
        second |= other.second
        third |= other.third
        high |= other.high
    }

    var inverted: OctetSet {
        var set = self
        (set.low, set.second, set.third, set.high) = (~low, ~second, ~third, ~high)
        return set
    }

    func contains(_ byte: UInt8) -> Bool {
        let word =
            switch byte >> 6 {
            case 0: low
            case 1: second
            case 2: third
            default: high
            }
        return word >> UInt64(byte & 63) & 1 != 0
    }
}
