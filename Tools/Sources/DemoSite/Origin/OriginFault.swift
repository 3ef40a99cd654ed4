/// A failure that the origin is told to have.
package struct OriginFault: Hashable, Sendable {
    /// Body bytes to send before the connection is closed; zero closes it right after the head.
    package var bodyBytes: Int
    /// How many answers fail; `nil` is all of them.
    package var remaining: Int?

    /// Closes the connection in the middle of a body.
    ///
    /// - Parameters:
    ///   - bodyBytes: Bytes to send before.
    ///   - times: How many answers fail; `nil` is all until the fault is taken back.
    package static func closeMidBody(after bodyBytes: Int, times: Int? = nil) -> OriginFault {
        OriginFault(bodyBytes: bodyBytes, remaining: times)
    }
}
