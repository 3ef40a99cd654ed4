/// Whether a message from a page may be acted upon, and if not, why.
public enum MessageDecision: Hashable, Sendable {
    case accept(MessageAdmission)
    case refuse(Reason)

    public enum Reason: String, CaseIterable, Sendable {
        case frameNotAllowed, schemeNotAllowed, hostNotAllowed
        case messageTooLarge, tooManyInFlight, pageHasSentTooMuch
        case tokenUnknown
    }
}

/// An accepted message, to be given back to ``MessageGate/finish(_:)``.
public struct MessageAdmission: Hashable, Sendable {
    /// For the page's next message; goes back with the reply.
    public let nextToken: MessageToken
    /// Counts page loads.
    let page: UInt64
}
