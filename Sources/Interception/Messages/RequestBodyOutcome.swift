/// What has come of a message of ``RequestBodyMessage``, or of a scheme task that wants a body.
public enum RequestBodyOutcome: Hashable, Sendable {
    /// More messages, or the scheme task, have to come.
    case waiting
    /// For the scheme task. It is given once.
    case complete(FlattenedBody)
    /// Nothing has changed.
    case refused(Reason)
    /// The body is gone; the task that waits for it has to fail.
    case dropped(Reason)

    public enum Reason: String, CaseIterable, Sendable {
        case invalidIdentity, unknownIdentity
        case alreadyBegun, alreadyComplete, alreadyClaimed
        /// The body was meant for another method or URL.
        case otherRequest
        case outOfOrder
        case tooManyBodies, tooLarge
        /// The random source gave only boundaries that are in the content.
        case noBoundary
    }
}
