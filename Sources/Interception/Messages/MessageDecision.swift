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
