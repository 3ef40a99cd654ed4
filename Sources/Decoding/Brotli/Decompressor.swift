/// A decoder of one compressed format, which is given its input piece by piece.
protocol Decompressor: AnyObject {
    /// Takes bytes of the input from a place on, and writes to the beginning of the output; as many as fit.
    ///
    /// - Parameter isLast: Whether nothing follows the input.
    /// - Returns: How many bytes were taken and written. None of both, with ``DecompressionResult/more``: more input
    ///   is needed.
    func step(
        _ input: [UInt8], from place: Int, isLast: Bool, into output: inout [UInt8]
    ) -> (result: DecompressionResult, taken: Int, written: Int)

    /// Begins anew with the same format. Whether that worked; not where contents can't follow each other.
    func reset() -> Bool
}

enum DecompressionResult {
    /// Wants more input or more room.
    case more
    /// The end of the compressed data, its checksum included if the format has one.
    case end
    case damaged
}
