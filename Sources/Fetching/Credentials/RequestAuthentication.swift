import HTTPTypes

/// Which credentials one request is sent with, and what follows a 401: Fetch §4.6, "HTTP-network-or-cache fetch".
///
/// - Nothing is sent for a CORS request to another origin, where the request takes no credentials, and where the page
///   has set `Authorization` itself.
/// - At first go those that are remembered for a folder of the path. Those of the URL go only once they are asked for.
/// - After a challenge of the scheme Basic those of the URL are tried, else those that are remembered for its realm,
///   else the app is asked. Nothing is tried twice for one request, so that it ends.
/// - The app is asked for a document of the main frame, and for what is of the same origin as the one in the address
///   bar and is asked for by it. A frame or an image of somebody else makes no question that looks like the page's.
package struct RequestAuthentication {
    package enum Step: Equatable {
        /// Sends the request again.
        case send(BasicCredentials)
        case ask(CredentialQuestion, ProtectionSpace)
        /// The page gets the response.
        case deliver
    }

    /// How often the app is asked for one request.
    package static let greatestQuestions = 3

    /// The credentials to send with the request; `nil` for none of ours.
    package private(set) var credentials: BasicCredentials?
    private let owner: ProtectionSpace.Owner
    private let request: FetchRequest
    private let memory: CredentialMemory
    private let mayAuthenticate: Bool
    private let mayAsk: Bool
    private var tried: Set<BasicCredentials> = []
    private var questions = 0
    /// Which space ``credentials`` answer, and whether they may be kept.
    private var answered: (space: ProtectionSpace, isRemembered: Bool)?

    /// - Parameter hasAsker: Whether there is somebody to ask.
    package init(
        _ following: RedirectFollowing, memory: CredentialMemory, owner: ProtectionSpace.Owner, hasAsker: Bool
    ) {
        request = following.request
        self.memory = memory
        self.owner = owner
        mayAuthenticate =
            following.includesCredentials && following.tainting != .cors
            && !request.head.headerFields.contains(.authorization)
        mayAsk = hasAsker && mayAuthenticate && following.tainting == .basic && Self.isOfShownOrigin(request)
        guard mayAuthenticate else { return }
        let known = memory.credentials(for: request.targetOrigin, path: request.head.path ?? "/", owner)
        // Fetch, "use-URL-credentials flag": what the URL says counts more than what is remembered.
        if request.urlCredentials == nil || request.urlCredentials == known { credentials = known }
    }

    private static func isOfShownOrigin(_ request: FetchRequest) -> Bool {
        request.isTopLevelNavigation
            || request.topLevelOrigin?.onNetwork.isSameOrigin(as: request.targetOrigin) == true
    }

    /// The next step after the response to the request with ``credentials``.
    ///
    /// - Parameter isRepeatable: Whether the content of the request can be sent once more; `true` without any.
    package mutating func received(_ head: HTTPResponse, isRepeatable: Bool) -> Step {
        guard mayAuthenticate else { return .deliver }
        guard head.status == .unauthorized else {
            if let credentials, let answered, answered.isRemembered {
                memory.remember(credentials, for: answered.space, path: request.head.path ?? "/")
            }
            return .deliver
        }
        guard let realm = AuthenticationChallenge.basicRealm(head.headerFields) else { return .deliver }
        let space = ProtectionSpace(owner: owner, origin: request.targetOrigin, realm: realm)
        if let credentials {
            tried.insert(credentials)
            memory.forget(credentials, for: space)
        }
        guard isRepeatable else { return .deliver }
        let known = request.urlCredentials ?? memory.credentials(for: space)
        if let known, !tried.contains(known) { return send(known, space, isRemembered: true) }
        guard mayAsk, questions < Self.greatestQuestions else { return .deliver }
        questions += 1
        let question = CredentialQuestion(origin: space.origin, realm: realm, previousFailureCount: tried.count)
        return .ask(question, space)
    }

    /// - Returns: The next step; `nil` if the load is to fail.
    package mutating func answered(_ answer: CredentialAnswer, _ space: ProtectionSpace) -> Step? {
        switch answer {
        case .cancel: return nil
        case .showResponse: return .deliver
        case .use(let credentials, let isRemembered):
            guard !tried.contains(credentials) else { return .deliver }
            return send(credentials, space, isRemembered: isRemembered)
        }
    }

    /// Asks, unless another request has learned the answer meanwhile, and remembers it at once: what has been waiting
    /// beside it asks nobody then.
    package func asking(_ asker: @escaping CredentialQuestion.Asker, _ space: ProtectionSpace)
        -> CredentialQuestion.Asker
    {
        let (memory, path, tried) = (memory, request.head.path ?? "/", tried)
        return { question in
            if let known = memory.credentials(for: space), !tried.contains(known) { return .use(known) }
            let answer = await asker(question)
            if case .use(let credentials, remembered: true) = answer {
                memory.remember(credentials, for: space, path: path)
            }
            return answer
        }
    }

    private mutating func send(_ credentials: BasicCredentials, _ space: ProtectionSpace, isRemembered: Bool) -> Step {
        self.credentials = credentials
        answered = (space, isRemembered)
        return .send(credentials)
    }
}
