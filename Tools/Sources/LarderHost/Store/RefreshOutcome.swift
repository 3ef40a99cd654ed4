import HTTPTypes

/// The result of fetching a URL anew.
package struct RefreshOutcome: Sendable {
    /// The origin's answer; of several, one that was not stored if there is any.
    package var head: HTTPResponse
    package var isStored: Bool
    /// `nil` where it was stored.
    package var notStored: NotStored?
    /// The address under which the response lies, or would: a key rule can have changed it.
    package var uri: String
    /// The rule that decided; `nil` where the protocol did.
    package var rule: String?
    /// How many responses were fetched: one for each that was stored and fits, with other fields such as
    /// Accept-Encoding.
    package var responses: Int
}
