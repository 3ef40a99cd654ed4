import HTTPCacheSemantics

/// Takes content codings off content that is given and taken piece by piece, whoever waits for the pieces.
///
/// Its memory does not grow with the content: for each coding about 170 KiB, for br its window of at most
/// 16 MiB, and the piece of input at hand.
package final class ContentDecoding {
    package enum Step: Hashable, Sendable {
        /// Decoded bytes, never empty and never more than 64 KiB.
        case piece([UInt8])
        /// To be called again after ``ContentDecoding/add(_:)`` or ``ContentDecoding/endInput()``.
        case needsInput
        /// The content is complete. Bytes that follow it are padding.
        case ended
    }

    private let limits: DecodingLimits
    private var stages: [DecodingStage]
    private var (received, input, isInputComplete): (Int64, [UInt8], Bool) = (0, [], false)
    private var failure: ContentDecodingError?

    /// - Parameters:
    ///   - codings: If there are none, the content comes out as it went in.
    ///   - isForgiving: Whether content is read as WebKitGTK's own network reads it: what is said to be gzip and does
    ///     not begin so goes on as it is, and gzip or deflate without its end has what came. Else both are errors.
    package init(
        _ codings: ContentCodings, limits: DecodingLimits = DecodingLimits(), isForgiving: Bool = false
    ) {
        self.limits = limits
        stages = codings.codings.map { DecodingStage($0, isForgiving: isForgiving) }
    }

    /// Gives the next bytes, when ``next()`` needs input.
    package func add(_ bytes: [UInt8]) {
        received += Int64(bytes.count)
        if input.isEmpty { input = bytes } else { input += bytes }
    }

    /// No more bytes will come.
    package func endInput() { isInputComplete = true }

    /// - Throws: Any code of ``ContentDecodingError``, and the same error from then on.
    package func next() throws(ContentDecodingError) -> Step {
        if let failure { throw failure }
        do {
            return try next(of: stages.count)
        } catch {
            failure = error
            stages = []
            throw error
        }
    }

    /// The output of that many codings, the input itself for none.
    private func next(of count: Int) throws(ContentDecodingError) -> Step {
        guard count > 0 else { return nextInput() }
        while true {
            let step = try stages[count - 1].next()
            switch step {
            case .ended: return try end(of: count)
            // Each coding has its limit, so that one whose output the next one throws away can't go on for ever.
            case .piece:
                try limits.check(decoded: stages[count - 1].decoded, received: received)
                return step
            case .needsInput:
                switch try next(of: count - 1) {
                case .piece(let bytes): stages[count - 1].add(bytes)
                case .needsInput: return .needsInput
                case .ended: stages[count - 1].endInput()
                }
            }
        }
    }

    /// The codings beneath one that has ended are decoded to their ends too, where their checksums are.
    private func end(of count: Int) throws(ContentDecodingError) -> Step {
        guard count > 1 else { return .ended }
        while true {
            let step = try next(of: count - 1)
            if case .piece = step { continue }
            return step
        }
    }

    private func nextInput() -> Step {
        guard !input.isEmpty else { return isInputComplete ? .ended : .needsInput }
        defer { input = [] }
        return .piece(input)
    }

    /// Decodes content that is in memory.
    ///
    /// - Throws: Any code of ``ContentDecodingError``.
    package static func decode(
        _ content: [UInt8], _ codings: ContentCodings, limits: DecodingLimits
    ) throws(ContentDecodingError) -> [UInt8] {
        guard !codings.isEmpty else { return content }
        let decoding = ContentDecoding(codings, limits: limits)
        decoding.add(content)
        decoding.endInput()
        var decoded: [UInt8] = []
        while case .piece(let piece) = try decoding.next() { decoded += piece }
        return decoded
    }
}

/// Why content can't be decoded.
package struct ContentDecodingError: Error, Sendable, CustomStringConvertible {
    package var code: Code
    /// The failure and its remedy, in one sentence.
    package var message: String

    package var description: String { message }

    package enum Code: Hashable, Sendable {
        /// The content is not what its coding says, or fails its checksum.
        case damaged
        /// The end is missing.
        case cutOff
        /// It exceeds ``DecodingLimits/total``.
        case tooLarge
        /// It exceeds ``DecodingLimits/ratio``.
        case expandsTooMuch
        case noMemory
    }
}

/// How much may come out of coded content before it is taken for an attack.
package struct DecodingLimits: Hashable, Sendable {
    /// The decoded bytes for each received byte, once there are more than ``anyRatioUpTo``; the default is 1,000.
    ///
    /// Deflate reaches 1,032 with nothing but repetition, br a hundred thousand, and text about 10; beyond 1,000 are
    /// codings over each other that multiply, and content that says nothing.
    package var ratio: Int64
    /// The decoded size up to which any ratio is allowed: so little harms nobody. The default is 1 MiB.
    package var anyRatioUpTo: ByteCount
    /// The decoded size in all; the default is 1 GiB.
    package var total: ByteCount

    package init(
        ratio: Int64 = 1_000, anyRatioUpTo: ByteCount = .mebibytes(1), total: ByteCount = .mebibytes(1_024)
    ) {
        self.ratio = ratio
        self.anyRatioUpTo = anyRatioUpTo
        self.total = total
    }

    /// - Parameters:
    ///   - decoded: The bytes that have come out so far, with those about to be given out.
    ///   - received: The bytes that have gone in.
    func check(decoded: Int64, received: Int64) throws(ContentDecodingError) {
        guard decoded <= total.bytes else {
            throw ContentDecodingError(code: .tooLarge, message: "The decoded content is longer than \(total).")
        }
        let (allowed, overflow) = received.multipliedReportingOverflow(by: max(1, ratio))
        guard decoded <= anyRatioUpTo.bytes || overflow || decoded <= allowed else {
            throw ContentDecodingError(
                code: .expandsTooMuch,
                message: "The content expands to more than \(ratio) times its size; nothing useful does.")
        }
    }
}
