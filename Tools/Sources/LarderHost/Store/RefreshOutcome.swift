import HTTPTypes

/// What fetching a URL anew has come to.
public struct RefreshOutcome: Sendable {
    /// The origin's answer.
    public var head: HTTPResponse
    public var isStored: Bool
    /// `nil` where it was stored.
    public var notStored: NotStored?
    /// The address under which the response lies, or would: a key rule can have changed it.
    public var uri: String
    /// The rule that decided; `nil` where the protocol did.
    public var rule: String?
}
