/// Bytes that are pulled by one consumer, piece by piece.
///
/// A source reads ahead only up to a limit: a consumer that stops asking stops the sender, down to the socket.
public protocol BodySource: Sendable {
    /// The next piece, never empty; `nil` after the last one. After an error there is no more.
    func next() async throws -> [UInt8]?

    /// Ends the reading and frees what the source holds. Calling it again, or after the end, does nothing.
    func cancel()
}
