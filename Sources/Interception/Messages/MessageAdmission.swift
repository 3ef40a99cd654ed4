/// An accepted message, to be given back to ``MessageGate/finish(_:)``.
public struct MessageAdmission: Hashable, Sendable {
    /// For the page's next message; goes back with the reply.
    public let nextToken: MessageToken
    /// Counts page loads.
    let page: UInt64
}
