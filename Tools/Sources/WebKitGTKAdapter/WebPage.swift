import CWebKitGTK
import Fetching
import Glibc
import HTTPCacheSemantics
import HTTPTypes
import SchemeTasks
import WebVisit

/// One web view in one window, and what its signals told. `WebPage+Signals` connects them.
@MainActor
final class WebPage {
    let view: UnsafeMutablePointer<WebKitWebView>
    let context: UnsafeMutablePointer<WebKitWebContext>
    let content: UnsafeMutablePointer<WebKitUserContentManager>?
    /// Answers challenges of the proxy.
    var proxyLogin: ProxyLogin
    /// Answers challenges of the origin of the page that was asked for.
    let siteLogin: SiteLogin?
    /// Answers questions of the page.
    var answers = PageAnswers()

    /// The loads under way, and those that failed.
    var ledger = LoadLedger(at: .now) { didSet { changed() } }
    /// The URL of the last document that began to arrive.
    var committedURL: String?
    /// The address in the document on its way to which the page goes once it is there.
    var fragment: String?
    /// Which documents the view shows, where it was asked to have them told.
    var shown = ShownDocuments()
    /// The last click in a document, its origin, and whether it was in the main document and has no content: the
    /// address of a link, or that of a form without its query.
    var clicked: (origin: WebOrigin, url: String, isMain: Bool)?
    /// The navigation that was begun here and is to be announced: its address, none for one in the view's history, and
    /// who wanted it.
    var begun: (url: String?, by: RequestEvidence.Initiator?)?
    /// Whether a main load has begun of which nothing has arrived yet.
    var isAwaitingDocument = false
    /// Whether the main load that is under way brings nothing, so that the page stays.
    var keepsPage = false
    /// Why the last main load failed.
    var loadError: LoadError?
    /// The download that the last main load brought instead of a page.
    var offeredDownload: OfferedDownload?
    /// The URL of another app to which the last main load was redirected.
    var handedToApp: String?
    /// Why the web process ended.
    var termination: String? {
        didSet {
            changed()
            if let termination { answers.processEnded(termination) }
        }
    }

    private var waiting: Reply<Bool>?

    /// A view as the request wants it, shown and empty.
    ///
    /// GTK must be initialised. The view and its window are never freed: the process ends with the visit.
    ///
    /// - Parameter usesPageCache: Whether the view may show a document again as it was left.
    /// - Throws: ``VisitFailure`` with code `badRequest` if WebKit cannot make a view.
    init(
        _ request: VisitRequest, dataDirectory: DataDirectory, usesPageCache: Bool = false
    ) throws(VisitFailure) {
        let content = webkit_user_content_manager_new()
        guard let context = larder_web_context_new(dataDirectory.data, dataDirectory.cache),
            let view = larder_web_view_new(context, content)
        else { throw VisitFailure(code: .badRequest, message: "WebKitGTK could not make a web view.") }
        self.view = view
        self.context = context
        self.content = content
        proxyLogin = ProxyLogin(request)
        siteLogin = SiteLogin(request)
        // No GPU, which Xvfb lacks, and no cache of whole documents: every document of the visit is asked for.
        let settings = webkit_web_view_get_settings(view)
        webkit_settings_set_hardware_acceleration_policy(settings, WEBKIT_HARDWARE_ACCELERATION_POLICY_NEVER)
        webkit_settings_set_enable_write_console_messages_to_stdout(settings, 1)
        webkit_settings_set_enable_page_cache(settings, usesPageCache ? 1 : 0)
        if !request.prefetchesNames { disable("LinkDNSPrefetch", in: settings) }
        let script = webkit_user_script_new_for_world(
            PageObservation.atDocumentStart, WEBKIT_USER_CONTENT_INJECT_TOP_FRAME,
            WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START, PageObservation.world, nil, nil)
        webkit_user_content_manager_add_script(content, script)
        webkit_user_script_unref(script)
        giveLanguage()
        configureNetwork(proxy: request.proxy)
        dataDirectory.keepCookies(webkit_web_context_get_cookie_manager(context))
        connectSignals()
        larder_show_in_window(view, gint(request.width), gint(request.height))
    }

    /// The data that the view keeps for pages on its own.
    var data: WebsiteData { WebsiteData(webkit_web_context_get_website_data_manager(context)) }

    /// Runs a script at the start of every document, in all frames, in the page's own world.
    func addScript(_ source: String) {
        let script = webkit_user_script_new(
            source, WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES, WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START, nil, nil)
        webkit_user_content_manager_add_script(content, script)
        webkit_user_script_unref(script)
    }

    /// The same in a world of its own, where the page's variables are not, and its policies do not count.
    func addScript(_ source: String, inWorld name: String) {
        let script = webkit_user_script_new_for_world(
            source, WEBKIT_USER_CONTENT_INJECT_ALL_FRAMES, WEBKIT_USER_SCRIPT_INJECT_AT_DOCUMENT_START, name, nil, nil)
        webkit_user_content_manager_add_script(content, script)
        webkit_user_script_unref(script)
    }

    /// Has each document tell its origin as it begins, and as it is shown again, for ``shown``; and of links that are
    /// clicked and forms that are sent in it, for ``clicked``. What a page's own scripts say does not arrive: the
    /// handler is in the other world alone.
    func tellDocuments(inWorld name: String) {
        let told: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, gpointer?) -> Void = { _, result, data in
            let text = String(taking: jsc_value_to_string(webkit_javascript_result_get_js_value(result))) ?? ""
            let words = text.split(separator: " ", maxSplits: 2).map(String.init)
            guard words.count > 1 else { return }
            CallbackOwner(data)(WebPage.self, otherwise: ()) { page in
                let origin = WebOrigin(url: words[1])
                if words.count > 2 {
                    page.clicked = (origin, words[2], words[0] == "main")
                } else {
                    page.shown.told(origin, isMain: words[0] == "main")
                }
            }
        }
        guard let content else { return }
        connect(content, "script-message-received::larderDocument", to: self, told)
        webkit_user_content_manager_register_script_message_handler_in_world(content, "larderDocument", name)
        addScript(
            """
            {
              const tell = (more = '', place = self === top ? 'main' : 'frame') =>
                webkit.messageHandlers.larderDocument.postMessage(`${place} ${origin}${more}`);
              addEventListener('pageshow', event => { if (event.isTrusted && event.persisted) tell(); });
              addEventListener('click', event => {
                const link = event.composedPath().find(node => node.localName === 'a' || node.localName === 'area');
                if (typeof link?.href === 'string') tell(` ${link.href}`);
              }, true);
              // A field may be called as a property is.
              const tellForm = (url, method) => {
                if (typeof url !== 'string') return;
                tell(` ${url.replace(/[?#].*/s, '')}`, method === 'get' ? undefined : 'content');
              };
              let sent;
              addEventListener('submit', event => {
                const {submitter, target} = event;
                sent = target;
                tellForm(submitter?.hasAttribute('formaction') ? submitter.formAction : target.action,
                  submitter?.hasAttribute('formmethod') ? submitter.formMethod : target.method);
              }, true);
              // A form that a script sends has no other event.
              addEventListener('formdata', ({target}) => {
                if (sent !== target) tellForm(target.action, target.method);
                sent = undefined;
              }, true);
              tell();
            }
            """, inWorld: name)
    }

    /// The view's cookies.
    var cookies: WebKitCookieStore? { webkit_web_context_get_cookie_manager(context).map(WebKitCookieStore.init) }

    /// Switches off a feature of WebKit's. For this one the property `enable-dns-prefetching` is of no effect any more.
    private func disable(_ name: String, in settings: UnsafeMutablePointer<WebKitSettings>?) {
        let features = webkit_settings_get_all_features()
        defer { webkit_feature_list_unref(features) }
        for index in 0..<webkit_feature_list_get_length(features) {
            let feature = webkit_feature_list_get(features, index)
            guard String(copying: webkit_feature_get_identifier(feature)) == name else { continue }
            webkit_settings_set_feature_enabled(settings, feature, 0)
        }
    }

    /// Ends the main load for a URL that is for another app.
    func handToApp(_ url: String) {
        handedToApp = url
        answers.notice(.external(url: url, isNewWindow: false))
        webkit_web_view_stop_loading(view)
        ledger.loadEventFired(at: .now)
    }

    /// Ends the main load, of which nothing may be shown.
    func refuseLoad(_ message: String) {
        let error = LoadError(domain: "larder", code: 0, message: message)
        webkit_web_view_stop_loading(view)
        loadError = error
        ledger.loadEventFired(at: .now)
    }

    /// Begins to load; what happens next is told by signals.
    ///
    /// - Parameters:
    ///   - initiator: Who wants it; `nil` if nothing proves that.
    ///   - fields: Of the request, besides those of the web view.
    func load(
        _ url: String, by initiator: RequestEvidence.Initiator? = .app, fields: [HTTPField.Name: String?] = [:]
    ) {
        (begun, fragment) = ((url, initiator), nil)
        let stated = fields.compactMapValues { $0 }
        guard !stated.isEmpty else { return webkit_web_view_load_uri(view, url) }
        let request = webkit_uri_request_new(url)
        for (name, value) in stated {
            soup_message_headers_replace(webkit_uri_request_get_http_headers(request), name.rawName, value)
        }
        webkit_web_view_load_request(view, request)
        g_object_unref(request)
    }

    /// Loads what a document is redirected to.
    func follow(_ url: String, referrer: String?) {
        let (url, then) = DocumentMove.loads(of: url, shown: committedURL)
        load(url, by: nil, fields: [.referer: referrer])
        fragment = then
    }

    /// The document is there.
    func goToFragment() {
        guard let fragment = fragment.take(), DocumentMove.loads(of: fragment, shown: committedURL).then != nil else {
            return
        }
        webkit_web_view_load_uri(view, fragment)
    }

    /// The URL of the document; `nil` if there never was one.
    var url: String? { String(copying: webkit_web_view_get_uri(view)).flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether the main document is being loaded, or about to be.
    var isLoading: Bool { webkit_web_view_is_loading(view) != 0 }

    /// Whether the last main load has brought a document.
    var hasDocument: Bool {
        committedURL != nil && !isAwaitingDocument && loadError == nil && offeredDownload == nil && handedToApp == nil
    }

    /// The title of the document.
    var title: String? { String(copying: webkit_web_view_get_title(view)).flatMap { $0.isEmpty ? nil : $0 } }

    /// The HTTP status of the main document.
    var status: Int? {
        guard let resource = webkit_web_view_get_main_resource(view),
            let response = webkit_web_resource_get_response(resource)
        else { return nil }
        let status = Int(webkit_uri_response_get_status_code(response))
        return status > 0 ? status : nil
    }

    /// Returns when the ledger or the web process's state has changed, at the latest after `limit`.
    func change(within limit: Duration) async { _ = await Reply<Bool>.first(within: limit) { waiting = $0 } }

    private func changed() { waiting?.resolve(true) }

    /// Where nobody has chosen a language, WebKitGTK calls the page's language `C`, which `Intl` refuses to work with.
    private func giveLanguage() {
        let name = String(copying: setlocale(LC_CTYPE, nil)) ?? "C"
        guard name == "C" || name == "POSIX" || name.hasPrefix("C."), getenv("LANGUAGE") == nil else { return }
        "en-US".withCString { language in
            var languages: [UnsafePointer<CChar>?] = [language, nil]
            webkit_web_context_set_preferred_languages(context, &languages)
        }
    }

    // MARK: Network

    private func configureNetwork(proxy: String?) {
        let manager = webkit_web_context_get_website_data_manager(context)
        webkit_website_data_manager_set_tls_errors_policy(manager, WEBKIT_TLS_ERRORS_POLICY_FAIL)
        webkit_website_data_manager_set_persistent_credential_storage_enabled(manager, 0)
        guard let proxy else {
            webkit_website_data_manager_set_network_proxy_settings(manager, WEBKIT_NETWORK_PROXY_MODE_NO_PROXY, nil)
            return
        }
        let settings = webkit_network_proxy_settings_new(proxy, nil)
        webkit_website_data_manager_set_network_proxy_settings(manager, WEBKIT_NETWORK_PROXY_MODE_CUSTOM, settings)
        webkit_network_proxy_settings_free(settings)
    }

    /// Accepts one certificate for one host, from this process's point of view and then from the network process's.
    ///
    /// The permission is a message to the network process without an answer. A question about cookies goes the same
    /// way, in order, and has one: when it is answered, the permission holds.
    ///
    /// - Throws: ``VisitFailure`` with code `badCertificate` if the text is no certificate.
    func trust(_ leaf: TrustedLeaf) async throws(VisitFailure) {
        var error: UnsafeMutablePointer<GError>?
        guard let certificate = g_tls_certificate_new_from_pem(leaf.certificatePEM, -1, &error) else {
            throw VisitFailure(
                code: .badCertificate,
                message: "The certificate to be trusted for '\(leaf.host)' is no PEM certificate: "
                    + String(taking: error))
        }
        webkit_web_context_allow_tls_certificate_for_host(context, certificate, leaf.host)
        g_object_unref(certificate)
        let cookies = webkit_web_context_get_cookie_manager(context)
        _ = await Reply<Bool>.first(within: .seconds(10)) { reply in
            webkit_cookie_manager_get_cookies(
                cookies, "https://\(leaf.host)/", nil,
                { source, result, data in
                    g_list_free_full(
                        webkit_cookie_manager_get_cookies_finish(
                            source?.cast(to: WebKitCookieManager.self), result, nil),
                        { soup_cookie_free(OpaquePointer($0)) })
                    Reply<Bool>.take(data) { $0.resolve(true) }
                }, reply.retainedForCallback())
        }
    }

    // MARK: Scripts

    /// The outcome of a script.
    enum ScriptOutcome: Sendable {
        /// The JSON text of what it returned.
        case returned(String)
        /// Why it did not return.
        case failed(String)
    }

    /// Runs the body of an asynchronous function, in the page's own world if `world` is `nil`.
    func run(_ body: String, in world: String? = nil, within limit: Duration) async -> ScriptOutcome {
        let cancellable = g_cancellable_new()
        defer { g_object_unref(cancellable) }
        let outcome = await Reply<ScriptOutcome>.first(within: limit) { reply in
            webkit_web_view_call_async_javascript_function(
                view, body, -1, nil, world, nil, cancellable,
                { source, result, data in
                    var error: UnsafeMutablePointer<GError>?
                    let value = webkit_web_view_call_async_javascript_function_finish(
                        source?.cast(to: WebKitWebView.self), result, &error)
                    let outcome: ScriptOutcome
                    if let value {
                        outcome = .returned(String(taking: jsc_value_to_json(value, 0)) ?? "null")
                        g_object_unref(value)
                    } else {
                        outcome = .failed(String(taking: error))
                    }
                    Reply<ScriptOutcome>.take(data) { $0.resolve(outcome) }
                }, reply.retainedForCallback())
        }
        if termination != nil { return .failed("The web process ended before the script returned.") }
        if let outcome { return outcome }
        g_cancellable_cancel(cancellable)
        return .failed("The script did not return in time.")
    }
}

extension Reply {
    /// Gives back the reference of ``retainedForCallback()`` and uses it on the main actor.
    nonisolated static func take(_ data: UnsafeMutableRawPointer?, _ body: @MainActor (Reply) -> Void) {
        CallbackOwner(data)(Reply.self, otherwise: ()) { reply in
            body(reply)
            Unmanaged.passUnretained(reply).release()
        }
    }
}
