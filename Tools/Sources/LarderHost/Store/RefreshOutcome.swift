import HTTPTypes

/// What fetching a URL anew has come to.
public struct RefreshOutcome: Sendable {
    /// The origin's answer; of several, one that was not stored if there is any.
    public var head: HTTPResponse
    public var isStored: Bool
    /// `nil` where it was stored.
    public var notStored: NotStored?
    /// The address under which the response lies, or would: a key rule can have changed it.
    public var uri: String
    /// The rule that decided; `nil` where the protocol did.
    public var rule: String?
    /// How many responses were fetched: one for each that was stored and fits, with other fields such as Accept-Encoding.
    public var responses: Int
}
