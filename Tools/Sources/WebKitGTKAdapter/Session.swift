import CWebKitGTK
import CacheEngine
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import PageScripts
import SchemeTasks
import ViewCare
import WebVisit

/// A web view that makes many navigations, one step after the other.
@MainActor
final class Session {
    let page: WebPage
    private let request: SessionRequest
    private let visit: Visit
    private let handler: SchemeHandler?
    private let cache: SessionCache?
    /// The scheme handler's memory of passwords.
    private let credentials = CredentialMemory()
    /// The origin of the page that was opened last.
    private var opened: WebOrigin?
    private let send: (VisitEvent) -> Void
    private let forgetConsole: () -> Void
    private var recovery = ProcessRecovery()
    private let clock = EngineClock.system
    /// Where a form was last sent, in any frame; with GET only where no scheme handler sees the method.
    private var sentForm: String?
    /// How often the web process has ended.
    private var endedProcesses = 0
    /// Whether a page is being loaded again that nobody has waited for. Until it comes, the view shows an empty
    /// document.
    private var isRecovering = false
    /// The steps to come; one at a time.
    private var last: Task<Void, Never>?

    /// - Parameter unlock: See ``VisitProcess/Unlock``.
    /// - Throws: ``VisitFailure`` with code `unsupported` for a mode that this process does not have.
    init(
        _ request: SessionRequest, page: WebPage, cache: SessionCache?, unlock: VisitProcess.Unlock?,
        console: @escaping () -> [ConsoleMessage], forgetConsole: @escaping () -> Void,
        send: @escaping (VisitEvent) -> Void
    ) throws(VisitFailure) {
        self.page = page
        self.request = request
        self.cache = cache
        self.send = send
        self.forgetConsole = forgetConsole
        visit = Visit(request.view, page: page, console: console)
        var handler: SchemeHandler?
        if let cache {
            handler = try Self.handler(
                request, page: page, cache: cache, credentials: credentials, unlock: unlock)
        }
        self.handler = handler
        page.answers.handsOver = true
        if request.mode.usesAppScheme {
            page.answers.moved = { [weak self, weak page, weak handler] url in
                // A form whose content is held goes to the address that it was told for.
                guard handler?.requests.holdsForm(at: url) != true, let shown = page?.committedURL,
                    let page = AppCacheScheme.pageURL(of: url)
                else { return nil }
                // A sign-in of another site leads back to the page that was opened.
                let origins = [WebOrigin(url: shown), self?.opened].compactMap(\.self)
                return origins.contains { WebOrigin(url: page).isSameOrigin(as: $0) } ? page : nil
            }
        }
        page.answers.started = { [weak handler] in handler?.requests.navigations.mainFrameStarted() }
        // WebKit says it in `Cache-Control` for http and https alone.
        page.answers.reloads = { [weak handler] in handler?.cacheMode = ($0, CacheMode.revalidate.rawValue) }
        page.answers.announce = { [weak self, weak handler] url, isForm, initiator in
            handler?.requests.navigations.add(url, by: initiator)
            if isForm == true { self?.sentForm = url } else if isForm == false { self?.forgetForm(url) }
        }
        page.answers.wait = { [weak handler] url in
            guard let requests = handler?.requests, requests.holdsForm(at: url) else { return nil }
            return { await requests.waitForForms(at: url) }
        }
        handler?.requests.documentWithoutForm = { [weak self] in self?.forgetForm($0) }
        page.answers.loaded = { [weak self] in self.map { $0.recovery.finishedLoading(at: $0.clock.wallTime()) } }
        page.answers.processEnded = { [weak self] in self?.processEnded($0) }
        page.answers.notice = { send(.notice($0)) }
    }

    private static func handler(
        _ request: SessionRequest, page: WebPage, cache: SessionCache, credentials: CredentialMemory,
        unlock: VisitProcess.Unlock?
    ) throws(VisitFailure) -> SchemeHandler {
        let policy = CookiePolicy { PublicSuffixes.isPublicSuffix($0) }
        let schemes = request.mode.schemes
        let hook = UploadScript(
            token: UploadScript.randomToken(), schemes: schemes, unpatched: request.unpatched)
        // GStreamer loads nothing from an app's own scheme.
        let rewriting = AddressRewriting(includesMedia: false)
        var configuration = WebViewResponder.Configuration()
        configuration.view = "web view"
        configuration.context = cache.context
        configuration.cookies = page.cookies.map { CookieBridge(store: $0, policy: policy) }
        configuration.registrableDomain = { PublicSuffixes.registrableDomain($0) }
        configuration.defaultFields = [.acceptLanguage: SessionRequest.acceptLanguage]
        configuration.rewriting = rewriting
        configuration.move = { [weak page] move in
            Task { @MainActor in
                switch move {
                // Its chain of redirects tells who has begun it.
                case .load(let url, let referrer): page?.follow(url, referrer: referrer)
                // No other load takes the place of this one, whose scheme task says nothing more.
                case .handToApp(let url): page?.handToApp(url)
                }
            }
        }
        configuration.credentials = credentials
        if let login = page.siteLogin { configuration.askForCredentials = { login.answer(to: $0) } }
        let responder = WebViewResponder(cache: cache.cache, configuration: configuration)
        let handler = SchemeHandler(responder, hook: hook)
        handler.documentURL = { [weak page] in page?.committedURL }
        // In every mode, as on Apple's systems: a page's images may be at this scheme wherever the page is.
        handler.register(AppCacheScheme.name, in: page.context)
        if request.mode.needsUnlocking {
            guard let unlock else {
                throw VisitFailure(
                    code: .unsupported,
                    message: "The mode \(request.mode) is not in this build: WebKitGTK offers no way to it.")
            }
            unlock { schemes.forEach { handler.register($0, in: page.context) } }
        }
        page.addScript(hook.script)
        page.addScript(hook.isolatedWorldScript, inWorld: "larder-forms")
        if request.mode.usesAppScheme {
            page.tellDocuments(inWorld: "larder-forms")
            let addresses = AddressScript(rewriting, unpatched: request.unpatched)
            page.addScript(addresses.script)
            page.addScript(addresses.isolatedWorldScript(hook), inWorld: "larder-forms")
        }
        return handler
    }

    private func forgetForm(_ url: String) {
        if sentForm == url { sentForm = nil }
    }

    /// Does a step after those that came before it.
    func take(_ command: SessionCommand) {
        let before = last
        last = Task {
            await before?.value
            let seen = await run(command.step)
            // An exchange is told once its response is stored: of this step before the step itself.
            await cache?.cache.waitForCommits()
            send(
                .stepped(
                    SessionResult(
                        id: command.id, seen: seen, canGoBack: webkit_web_view_can_go_back(page.view) != 0,
                        canGoForward: webkit_web_view_can_go_forward(page.view) != 0,
                        openTasks: handler?.openTasks ?? 0,
                        touchedRequests: Self.named(handler?.requests.counts.touched),
                        scriptFaults: Self.named(handler?.requests.counts.faults), addresses: addressReport)))
        }
    }

    private static func named(_ counts: [PagePatch: Int]?) -> [String: Int] {
        (counts ?? [:]).reduce(into: [:]) { $0[$1.key.rawValue] = $1.value }
    }

    private var addressReport: AddressReport? {
        guard request.mode.usesAppScheme, let counts = handler?.requests.counts.addresses else { return nil }
        return AddressReport(
            repaired: counts.repaired, escaped: counts.escaped, faults: counts.faults, fallbacks: counts.fallbacks)
    }

    /// Returns when no step is under way, and all that arrived is stored.
    func end() async {
        await last?.value
        await cache?.stop()
    }

    // MARK: Steps

    private func run(_ step: SessionStep) async -> VisitResult {
        let start = visit.clock.now
        let deadline = start + Visit.seconds(visit.request.timeoutSeconds)
        var result = VisitResult(requestedURL: page.url ?? "about:blank")
        switch step {
        case .open(let url):
            result.requestedURL = URLUserinfo.removed(from: url)
            recovery.userNavigated()
            begin { load(url) }
        case .reload(let fromOrigin):
            begin { fromOrigin ? webkit_web_view_reload_bypass_cache(page.view) : webkit_web_view_reload(page.view) }
        case .back: beginInHistory(webkit_web_view_go_back)
        case .forward: beginInHistory(webkit_web_view_go_forward)
        case .run(let script):
            await awaitRecovery(by: deadline)
            switch await page.run(script, within: Visit.seconds(visit.request.scriptTimeoutSeconds)) {
            case .returned(let value): result.scriptResult = value
            case .failed(let reason): result.scriptError = reason
            }
            page.ledger.stirred(at: visit.clock.now)
        case .picture(let path):
            await awaitRecovery(by: deadline)
            switch await page.snapshot(to: path, within: .seconds(10)) {
            case .taken(let screenshot): result.screenshot = screenshot
            case .failed(let reason): result.scriptError = reason
            }
        case .change(let connectivity, let account, let rules):
            do {
                try cache?.change(.init(connectivity: connectivity, account: account, rules: rules))
            } catch {
                result.scriptError = "\(error)"
            }
            return result
        case .answer(let dialogs, let text, let files):
            (page.answers.confirms, page.answers.text, page.answers.files) = (dialogs, text, files)
            return result
        case .clear(let clearing):
            if clearing.kinds.contains(.cookies) { credentials.removeAll() }
            do throws(VisitFailure) { try await page.data.clear(clearing) } catch { result.scriptError = error.message }
            return result
        case .endWebProcess:
            let notices = endedProcesses
            webkit_web_view_terminate_web_process(page.view)
            // The view tells of it at once or soon; what follows is ``recover(_:)``.
            for _ in 0..<100 where endedProcesses == notices { await page.change(within: .milliseconds(100)) }
        }
        let looksForBlankPage = request.looksForBlankPages && step.loadsPage
        await visit.settle(into: &result, since: start, by: deadline, expectsPaint: looksForBlankPage)
        if result.settledMilliseconds != nil { isRecovering = false }
        await visit.look(into: &result, asksIfBlank: looksForBlankPage)
        if request.looksForBlankPages, step.loadsPage, !result.timedOut, page.termination == nil,
            page.loadError == nil, page.offeredDownload == nil, page.handedToApp == nil
        {
            await lookForBlankPage()
        }
        return result
    }

    // MARK: Recovery

    private func lookForBlankPage() async {
        guard let hasElements = await page.hasElementsWhereBlank(within: .seconds(5)) else { return }
        send(.notice(.blankPage(url: page.url ?? "about:blank", hasElements: hasElements)))
    }

    private func awaitRecovery(by deadline: ContinuousClock.Instant) async {
        if isRecovering { isRecovering = await [.timeLimit, .processEnded].contains(visit.settle(by: deadline)) }
    }

    private func processEnded(_ reason: String) {
        endedProcesses += 1
        if request.recovers { recover(reason) }
    }

    /// Reloads the page once; shows an error page where that did not help.
    private func recover(_ reason: String) {
        // A form is not sent twice without asking.
        let wanted = page.url ?? page.committedURL
        let decision = recovery.processDied(canReload: wanted != nil && wanted != sentForm, at: clock.wallTime())
        let recovered =
            switch decision {
            case .reload: "reload"
            case .showError(let why): why.rawValue
            }
        send(.notice(.processEnded(reason: reason, recovery: recovered)))
        isRecovering = true
        switch decision {
        case .reload:
            // A document of which nothing had come is in no history: reloading would show the page before it.
            if let wanted, wanted != page.committedURL, webkit_web_view_is_loading(page.view) != 0 {
                begin { page.load(wanted, by: nil) }
            } else {
                begin { webkit_web_view_reload(page.view) }
            }
        case .showError:
            begin { webkit_web_view_load_alternate_html(page.view, ErrorPage.html, wanted, nil) }
        }
    }

    /// The address under which the view knows a page.
    private func load(_ url: String) {
        // A host in letters beyond ASCII as the web view would write it. Foundation would encode a query anew.
        let (origin, rest) = TargetURI.splitAfterAuthority(url)
        let written = (URL(string: origin)?.absoluteString ?? origin) + rest
        let pageURL = request.mode.usesAppScheme ? AppCacheScheme.pageURL(of: written) ?? url : url
        handler?.cacheMode = request.view.cacheMode.map { (pageURL, $0) }
        opened = WebOrigin(url: pageURL)
        page.load(pageURL)
    }

    private func beginInHistory(_ navigation: (UnsafeMutablePointer<WebKitWebView>?) -> Void) {
        begin {
            page.begun = (nil, .app)
            navigation(page.view)
        }
    }

    private func begin(_ navigation: () -> Void) {
        page.termination = nil
        page.ledger = LoadLedger(at: visit.clock.now)
        forgetConsole()
        navigation()
    }
}
