/// The answer to a load, now or later.
package enum LoadAnswer: Sendable {
    /// The answer is at hand. With content in memory it is delivered before ``Load/start()`` returns, without a `Task`.
    case ready(LoadResponse)
    /// The response counts where the client does not follow the redirect.
    case redirect(LoadRedirect, LoadResponse)
    case failed(any Error)
    /// The closure runs in a `Task` of its own, which is cancelled when the load is stopped.
    indirect case pending(@Sendable () async -> LoadAnswer)

    /// Frees content that nobody will read.
    package func discard() {
        switch self {
        case .ready(let response), .redirect(_, let response): response.body.discard()
        case .failed, .pending: break
        }
    }
}
