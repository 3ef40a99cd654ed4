import CacheEngine
import Fetching
import HTTPTypes

/// User names and passwords that servers ask for; see ``RequestAuthentication``.
extension FetchExchange {
    /// - Parameter context: Of the same hop: the account is read once.
    func authentication(of following: RedirectFollowing, _ context: ExchangeContext) -> RequestAuthentication {
        let owner = ProtectionSpace.Owner(account: context.partition, site: context.site)
        return RequestAuthentication(
            following, memory: configuration.credentials, owner: owner,
            hasAsker: mayAsk && configuration.askForCredentials != nil)
    }

    /// Sends a request as often as challenges can be answered.
    func sendAuthenticated(_ following: RedirectFollowing) async throws(SchemeTaskError) -> EngineResponse {
        var context = context(following.request)
        var authentication = authentication(of: following, context)
        var response = try await send(following, authentication.credentials, context)
        while response.failure == nil {
            var step = authentication.received(response.head, isRepeatable: body?.isReplayable ?? true)
            if case .ask(let question, let space) = step {
                guard let next = await answer(to: question, space, &authentication) else {
                    response.body.discard()
                    throw SchemeTaskError(
                        code: .authenticationCancelled, message: "The server's question for a password was cancelled.")
                }
                step = next
            }
            guard case .send(let credentials) = step else { break }
            responder.unreadContent.finish(response.body)
            // A stored 401 is no answer to this one.
            if [.protocolDefault, .preferStored].contains(context.mode) { context.mode = .revalidate }
            response = try await send(following, credentials, context)
        }
        return response
    }

    /// - Returns: What follows; `nil` if the load is to fail.
    private func answer(
        to question: CredentialQuestion, _ space: ProtectionSpace, _ authentication: inout RequestAuthentication
    ) async -> RequestAuthentication.Step? {
        guard let asker = configuration.askForCredentials else { return .deliver }
        let key = CredentialQuestions.Key(owner: authentication.owner, space: space)
        let answer = await responder.questions.ask(question, key, of: authentication.asking(asker, space))
        return authentication.answered(answer, space)
    }
}
