/// What a scheme task is answered with, now or later.
package enum SchemeAnswer: Sendable {
    /// The answer is at hand. With content in memory it is delivered before ``SchemeTaskDriver/start(_:_:answer:)``
    /// returns, without a `Task`.
    case ready(SchemeResponse)
    /// The closure runs in a `Task` of its own, which is cancelled when the task is stopped.
    case pending(@Sendable () async -> Result<SchemeResponse, SchemeTaskError>)
    case failed(SchemeTaskError)
}
