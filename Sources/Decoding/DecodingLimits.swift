import HTTPCacheSemantics

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
