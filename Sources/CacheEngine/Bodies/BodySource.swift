/// Bytes that are pulled by one consumer, piece by piece.
///
/// Nothing is read ahead without limit: who stops asking stops the sender, down to the socket.
public protocol BodySource: Sendable {
    /// The next piece, never empty; `nil` after the last one. After an error there is no more.
    func next() async throws -> [UInt8]?

    /// Says that no more is wanted. Frees what the source holds; calling it again, or after the end, does nothing.
    func cancel()
}
