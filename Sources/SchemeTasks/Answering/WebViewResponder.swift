import CacheEngine
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import Locking
import PageScripts
import ResponseStore

/// Answers the requests of one web view from a cache, so that its pages see what a plain network would show them.
///
/// A web view that hands its loads to a scheme handler does nothing of what the Fetch standard asks of a network: no
/// redirect is followed, no preflight is sent, no cookie is sent or kept, no coding is taken off. All of that happens
/// here, for each hop; the cache behind it decides as it does for every other client.
package final class WebViewResponder: Sendable {
    package struct Configuration: Sendable {
        /// Names the web view in reports.
        package var view = ""
        /// The account, connectivity and limits of a request that begins now.
        package var context: @Sendable () -> ExchangeContext = { ExchangeContext() }
        /// The web view's own cookies; without them none is sent or kept.
        package var cookies: CookieBridge?
        /// See ``Site``.
        package var registrableDomain: Site.RegistrableDomain?
        /// Fields that the web view leaves to its network, such as `Accept-Language`; added where they are missing.
        package var defaultFields: HTTPFields = [:]
        /// The web view's `User-Agent`, for requests without one; `nil` leaves the field to the
        /// network. Asked for each request, from any thread.
        package var userAgent: @Sendable () -> String? = { nil }
        /// Whether absolute addresses in pages at the app-cache scheme go through the cache, and which; those of the
        /// page's own host unless set. `nil` leaves every page as it is.
        package var rewriting: AddressRewriting? = AddressRewriting()
        /// Passwords of the web views that share cookies (RFC 7617). This view's own unless set.
        package var credentials = CredentialMemory()
        /// Asked for a user name and password where a server wants one by the scheme Basic, and none are known; without
        /// it pages get the 401. At most one question for each protection space is open.
        package var askForCredentials: CredentialQuestion.Asker?
        /// Called from any thread when a document of the main frame is redirected. Navigate before returning to the
        /// run loop: the scheme task then fails.
        package var move: @Sendable (DocumentMove) -> Void = { _ in }

        package init() {}
    }

    /// A status text that ends so has no text of the server's (``RequestEvidence/redirectMark``).
    package static let endOfAddress = " ="

    let cache: ResponseCache
    let configuration: Configuration
    let clock: EngineClock
    let preflights = LockedBox(PreflightCache())
    let unreadContent = UnreadContent()
    /// Addresses that pages name with a hash (`integrity`), whose content is delivered as it is; the latest.
    let hashedAddresses = LockedBox(RecentCache<String, Bool>(budget: 4_096))
    let movedDocuments = LockedBox(MovedDocuments())
    /// The policies that documents came with, by URL. WebKit applies none at a scheme of an app's own.
    let referrerPolicies = LockedBox(RecentCache<String, ReferrerPolicy>(budget: 256))
    let questions = CredentialQuestions()

    /// - Parameter clock: The one of the cache.
    package init(cache: ResponseCache, configuration: Configuration = Configuration(), clock: EngineClock = .system) {
        self.cache = cache
        self.configuration = configuration
        self.clock = clock
    }

    /// The answer to one scheme task, for ``SchemeTaskDriver/start(_:_:answer:takesPlace:timeout:)``. A GET that the
    /// store answers whatever the cookies are is ready at once.
    ///
    /// - Parameter body: The content of the request; `nil` without any.
    package func answer(_ observed: RequestEvidence, _ body: RequestContent? = nil) -> LoadAnswer {
        var observed = observed
        if observed.options.referrerPolicy == nil, referrerPolicies.withLock({ $0.totalCost }) > 0,
            let page = observed.fields[.referer].flatMap({ WebURL($0)?.url })
        {
            observed.options.referrerPolicy = referrerPolicies.withLock { $0.value(for: page) }
        }
        guard var fetch = FetchExchange(self, observed, body: body) else {
            return .failed(
                SchemeTaskError(
                    code: .refused,
                    message: "The address can't be read as that of one host; nothing was requested."))
        }
        if let answer = fetch.answerAtOnce() { return answer }
        guard observed.options.isKeepalive else { return .pending { [fetch] in await fetch.respond() } }
        // Fetch §4.6: it goes on when its page is left, and nobody is told how it ends.
        let work = Task { [fetch] in await fetch.respond() }
        return .pending { await work.value }
    }
}
