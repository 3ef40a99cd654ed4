/// Takes one content coding off, with the input given piece by piece.
struct DecodingStage {
    private static let outputSize = 65_536

    private enum State {
        /// Nothing is decoded yet; the format of deflate is not known before two bytes.
        case beginning
        case decoding(any Decompressor)
        /// Content that is said to be gzip and is not goes on as it came.
        case passing
        /// RFC 1952 §2.2: "A gzip file consists of a series of members".
        case betweenMembers(any Decompressor)
        case ended
    }

    private let coding: ContentCodings.Coding
    private let isForgiving: Bool
    private var state = State.beginning
    private var (input, place, isInputComplete) = ([UInt8](), 0, false)
    private var output: [UInt8] = []
    /// All that has come out, in bytes.
    private(set) var decoded: Int64 = 0

    init(_ coding: ContentCodings.Coding, isForgiving: Bool) {
        (self.coding, self.isForgiving) = (coding, isForgiving)
    }

    mutating func add(_ bytes: [UInt8]) {
        if place == input.count {
            (input, place) = (bytes, 0)
        } else {
            // At most a byte is left, while the first two of a format are waited for.
            input = input[place...] + bytes
            place = 0
        }
    }

    mutating func endInput() { isInputComplete = true }

    mutating func next() throws(ContentDecodingError) -> ContentDecoding.Step {
        while true {
            switch state {
            case .beginning:
                guard hasTwoBytes || isInputComplete else { return .needsInput }
                // Nothing at all stands for empty content, as in answers to HEAD.
                guard place < input.count else {
                    state = .ended
                    continue
                }
                if isForgiving, coding == .gzip, !isGzip {
                    state = .passing
                    continue
                }
                guard let decompressor = makeDecompressor() else {
                    throw ContentDecodingError(code: .noMemory, message: "There is no memory to decode the content.")
                }
                output = [UInt8](repeating: 0, count: Self.outputSize)
                state = .decoding(decompressor)
            case .decoding(let decompressor):
                let (result, taken, written) = decompressor.step(
                    input, from: place, isLast: isInputComplete, into: &output)
                place += taken
                guard result != .damaged else {
                    throw ContentDecodingError(code: .damaged, message: "The content is not what its coding says.")
                }
                if result == .end { state = coding == .gzip ? .betweenMembers(decompressor) : .ended }
                if written > 0 {
                    decoded += Int64(written)
                    return .piece(Array(output[..<written]))
                }
                if result == .more, taken == 0 {
                    guard isInputComplete else { return .needsInput }
                    if isForgiving, coding != .brotli {
                        state = .ended
                        continue
                    }
                    throw ContentDecodingError(
                        code: .cutOff, message: "The end of the content is missing; loading it again may help.")
                }
            case .passing:
                guard place < input.count else {
                    guard isInputComplete else { return .needsInput }
                    state = .ended
                    continue
                }
                let piece = Array(input[place...].prefix(Self.outputSize))
                place += piece.count
                decoded += Int64(piece.count)
                return .piece(piece)
            case .betweenMembers(let decompressor):
                guard hasTwoBytes || isInputComplete else { return .needsInput }
                // Other bytes after a member are padding.
                state = isGzip && decompressor.reset() ? .decoding(decompressor) : .ended
            case .ended:
                (input, place, output) = ([], 0, [])
                return .ended
            }
        }
    }

    private var hasTwoBytes: Bool { input.count - place >= 2 }
    /// RFC 1952 §2.3.1.
    private var isGzip: Bool { hasTwoBytes && input[place] == 0x1F && input[place + 1] == 0x8B }

    private func makeDecompressor() -> (any Decompressor)? {
        coding == .brotli ? BrotliDecoder() : Inflater(format)
    }

    /// RFC 9110 §8.4.1.2: deflate is deflate inside zlib's format; "some non-conformant implementations" leave that
    /// out. RFC 1950 §2.2 says what zlib's first two bytes look like.
    private var format: Inflater.Format {
        if coding == .gzip { return .gzip }
        guard hasTwoBytes else { return .zlib }
        let (first, second) = (input[place], input[place + 1])
        let isZlib = first & 0x0F == 8 && first <= 0x78 && (Int(first) << 8 | Int(second)) % 31 == 0
        return isZlib ? .zlib : .bare
    }
}
