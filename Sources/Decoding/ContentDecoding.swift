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
    ///   - passesOnOthers: Whether content that is said to be gzip and does not begin so goes on as it is; else it is
    ///     damaged.
    package init(
        _ codings: ContentCodings, limits: DecodingLimits = DecodingLimits(), passesOnOthers: Bool = false
    ) {
        self.limits = limits
        stages = codings.codings.map { DecodingStage($0, passesOnOthers: passesOnOthers) }
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
