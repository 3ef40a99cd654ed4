import HTTPCacheSemantics

/// Decides which messages of page scripts reach native code, for one web view.
///
/// Any script of the page, and any frame in it, can send messages. A message is accepted only from an allowed frame of
/// an allowed origin, with a token that has not been used since the page was loaded, and within limits. The token is
/// injected into the main frame's document; scripts that run before the injected one, or that can read its variables,
/// could take it, so it belongs into a content world of its own.
///
/// A value without clock or locks; its owner is the message handler on the main actor.
public struct MessageGate: Sendable {
    public struct Configuration: Sendable {
        /// The hosts whose pages may send messages; none by default.
        public var hosts: [AllowedHost]
        /// The hosts whose frames may, where they are not the main frame; none by default. They need to be among
        /// ``hosts`` too.
        public var frameHosts: [AllowedHost]
        /// In lower case; only `https` by default, because anybody on the network can write pages of `http`.
        public var schemes: Set<String>
        /// Of one message; the default is 1 MiB.
        public var largestMessage: ByteCount
        /// Accepted messages without a reply; the default is 64.
        public var mostInFlight: Int
        /// All accepted messages since the page was loaded; the default is 1 GiB.
        public var mostPerPage: ByteCount

        public init(
            hosts: [AllowedHost] = [], frameHosts: [AllowedHost] = [], schemes: Set<String> = ["https"],
            largestMessage: ByteCount = .mebibytes(1), mostInFlight: Int = 64,
            mostPerPage: ByteCount = .mebibytes(1_024)
        ) {
            self.hosts = hosts
            self.frameHosts = frameHosts
            self.schemes = schemes
            self.largestMessage = largestMessage
            self.mostInFlight = mostInFlight
            self.mostPerPage = mostPerPage
        }
    }

    private let configuration: Configuration
    private var random: any RandomNumberGenerator & Sendable
    private var page: UInt64 = 0
    private var tokens: [MessageToken] = []
    private var inFlight = 0
    private var received = ByteCount.zero

    /// - Parameter random: Has to be fit for secrets, as the default is.
    public init(
        _ configuration: Configuration, random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.configuration = configuration
        self.random = random
    }

    /// A page begins to load in the main frame: earlier tokens and messages in flight count no longer.
    ///
    /// - Returns: The token for the page's first message.
    public mutating func pageLoaded() -> MessageToken {
        page &+= 1
        (tokens, inFlight, received) = ([], 0, .zero)
        return makeToken()
    }

    /// Decides about a message.
    ///
    /// - Parameters:
    ///   - size: Of the whole message.
    ///   - token: As the message says.
    /// - Returns: An acceptance uses the token up. After a refusal it may be tried again, so that no other frame can
    ///   use it up.
    public mutating func admit(from frame: MessageFrame, size: ByteCount, token: String) -> MessageDecision {
        if let reason = refusal(of: frame) ?? refusal(of: size) { return .refuse(reason) }
        // All of them, for the sake of constant time.
        let matches = tokens.indices.filter { tokens[$0].matches(token) }
        guard let used = matches.first else { return .refuse(.tokenUnknown) }
        tokens.remove(at: used)
        inFlight += 1
        received += size
        return .accept(MessageAdmission(nextToken: makeToken(), page: page))
    }

    /// The message has been replied to. One of an earlier page changes nothing.
    public mutating func finish(_ admission: MessageAdmission) {
        if admission.page == page, inFlight > 0 { inFlight -= 1 }
    }

    /// A further token, for a script that sends messages at the same time. The oldest unused one is dropped when there
    /// are more than ``Configuration/mostInFlight``.
    public mutating func makeToken() -> MessageToken {
        let token = MessageToken(random: &random)
        if tokens.count >= max(1, configuration.mostInFlight) { tokens.removeFirst() }
        tokens.append(token)
        return token
    }

    private func refusal(of frame: MessageFrame) -> MessageDecision.Reason? {
        let isFrameAllowed = frame.isMainFrame || configuration.frameHosts.contains { $0.matches(frame.host) }
        if !isFrameAllowed { return .frameNotAllowed }
        if !configuration.schemes.contains(frame.scheme) { return .schemeNotAllowed }
        return configuration.hosts.contains { $0.matches(frame.host) } ? nil : .hostNotAllowed
    }

    private func refusal(of size: ByteCount) -> MessageDecision.Reason? {
        // A negative size is no size.
        guard size >= .zero, size <= configuration.largestMessage else { return .messageTooLarge }
        if inFlight >= configuration.mostInFlight { return .tooManyInFlight }
        return received + size <= configuration.mostPerPage ? nil : .pageHasSentTooMuch
    }
}
