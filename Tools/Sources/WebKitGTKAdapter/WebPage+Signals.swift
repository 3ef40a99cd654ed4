import CWebKitGTK
import Fetching
import WebVisit

/// The signals of the view and of its loads, as changes of the page's state.
extension WebPage {
    private typealias View = UnsafeMutablePointer<WebKitWebView>
    private typealias Resource = UnsafeMutablePointer<WebKitWebResource>
    private typealias Text = UnsafeMutablePointer<CChar>
    private typealias Failure = UnsafeMutablePointer<GError>
    private typealias Certificate = UnsafeMutablePointer<GTlsCertificate>
    private typealias Flags = GTlsCertificateFlags
    private typealias Challenge = UnsafeMutablePointer<WebKitAuthenticationRequest>

    // The last argument of each is the `WebPage`, see `connect`.
    private typealias LoadChanged = @convention(c) (View?, WebKitLoadEvent, gpointer?) -> Void
    private typealias LoadFailed = @convention(c) (View?, WebKitLoadEvent, Text?, Failure?, gpointer?) -> gboolean
    private typealias LoadRefused = @convention(c) (View?, Text?, Certificate?, Flags, gpointer?) -> gboolean
    private typealias ProcessTerminated = @convention(c) (View?, WebKitWebProcessTerminationReason, gpointer?) -> Void
    private typealias ResourceStarted = @convention(c) (View?, Resource?, OpaquePointer?, gpointer?) -> Void
    private typealias ResourceSent = @convention(c) (Resource?, OpaquePointer?, OpaquePointer?, gpointer?) -> Void
    private typealias ResourceAnswered = @convention(c) (Resource?, OpaquePointer?, gpointer?) -> Void
    private typealias ResourceFailed = @convention(c) (Resource?, Failure?, gpointer?) -> Void
    private typealias ResourceRefused = @convention(c) (Resource?, Certificate?, Flags, gpointer?) -> Void
    private typealias ResourceFinished = @convention(c) (Resource?, gpointer?) -> Void
    private typealias Challenged = @convention(c) (View?, Challenge?, gpointer?) -> gboolean

    func connectSignals() {
        connectNavigation()
        connectChallenges()
        connectQuestions()
        let started: ResourceStarted = { _, resource, _, data in
            guard let resource = MainThreadPointer(resource) else { return }
            CallbackOwner(data)(WebPage.self, otherwise: ()) { $0.follow(resource.pointer) }
        }
        connect(view, "resource-load-started", to: self, started)
    }

    // MARK: The main document

    private func connectNavigation() {
        let changed: LoadChanged = { _, event, data in
            CallbackOwner(data)(WebPage.self, otherwise: ()) { page in
                page.isAwaitingDocument = event == WEBKIT_LOAD_STARTED || event == WEBKIT_LOAD_REDIRECTED
                if event == WEBKIT_LOAD_STARTED {
                    (page.loadError, page.offeredDownload, page.handedToApp) = (nil, nil, nil)
                    (page.begun, page.keepsPage) = (nil, false)
                    page.ledger.navigationStarted(at: .now)
                    page.answers.started()
                } else if event == WEBKIT_LOAD_COMMITTED {
                    page.committedURL = page.url
                    page.shown.committed(page.url)
                    page.goToFragment()
                } else if event == WEBKIT_LOAD_FINISHED {
                    page.ledger.loadEventFired(at: .now)
                    page.answers.loaded()
                }
            }
        }
        connect(view, "load-changed", to: self, changed)

        // A fragment, or an entry of `history.pushState`: the document stays, and nothing loads.
        let moved: @convention(c) (View?, OpaquePointer?, gpointer?) -> Void = { _, _, data in
            CallbackOwner(data)(WebPage.self, otherwise: ()) { page in
                guard webkit_web_view_is_loading(page.view) == 0 else { return }
                page.ledger.loadEventFired(at: .now)
            }
        }
        connect(view, "notify::uri", to: self, moved)
        connect(view, "notify::is-loading", to: self, moved)

        // Both failures return 1, "handled": WebKit's own error page would replace the document that is observed.
        let failed: LoadFailed = {
            _, _, _, error, data in
            let failure = LoadError(
                domain: error.flatMap { String(copying: g_quark_to_string($0.pointee.domain)) } ?? "",
                code: error.map { Int($0.pointee.code) } ?? 0,
                message: String(copying: error?.pointee.message) ?? "")
            return CallbackOwner(data)(WebPage.self, otherwise: 1) { $0.mainLoadFailed(failure) }
        }
        connect(view, "load-failed", to: self, failed)

        let refused: LoadRefused = { _, _, _, flags, data in
            CallbackOwner(data)(WebPage.self, otherwise: 1) {
                $0.mainLoadFailed(
                    LoadError(domain: "tls", code: Int(flags.rawValue), message: tlsMessage(flags)))
            }
        }
        connect(view, "load-failed-with-tls-errors", to: self, refused)

        let terminated: ProcessTerminated = { _, reason, data in
            CallbackOwner(data)(WebPage.self, otherwise: ()) { page in
                switch reason {
                case WEBKIT_WEB_PROCESS_CRASHED: page.termination = "crashed"
                case WEBKIT_WEB_PROCESS_EXCEEDED_MEMORY_LIMIT: page.termination = "exceededMemoryLimit"
                default: page.termination = "terminated"
                }
            }
        }
        connect(view, "web-process-terminated", to: self, terminated)
    }

    private func mainLoadFailed(_ error: LoadError) -> gboolean {
        if keepsPage, error.domain == "WebKitPolicyError" {
            (keepsPage, isAwaitingDocument) = (false, false)
            // There may be none that stays.
            if committedURL == nil { loadError = error }
            ledger.loadEventFired(at: .now)
            return 1
        }
        noteInterruption(error)
        // A load that was ended here for what it brought is no failure of the page.
        if offeredDownload == nil, handedToApp == nil, loadError?.domain != "larder" { loadError = error }
        ledger.loadEventFired(at: .now)
        return 1
    }

    // MARK: Every load

    /// Follows one load from its first request to its end; the load is kept alive so that its address names it.
    private func follow(_ resource: Resource) {
        let id = LoadLedger.ID(bitPattern: resource)
        g_object_ref(resource)
        ledger.started(
            id, url: URLUserinfo.removed(from: String(copying: webkit_web_resource_get_uri(resource)) ?? ""),
            isMainDocument: resource == webkit_web_view_get_main_resource(view), at: .now)

        let moved: ResourceSent = { resource, _, redirect, data in
            guard redirect != nil, let resource = MainThreadPointer(resource) else { return }
            CallbackOwner(data)(WebPage.self, otherwise: ()) {
                let url = String(copying: webkit_web_resource_get_uri(resource.pointer)) ?? ""
                $0.ledger.redirected(
                    .init(bitPattern: resource.pointer), to: URLUserinfo.removed(from: url), at: .now)
            }
        }
        connect(resource, "sent-request", to: self, moved)

        let answered: ResourceAnswered = { resource, _, data in
            guard let resource = MainThreadPointer(resource) else { return }
            CallbackOwner(data)(WebPage.self, otherwise: ()) { page in
                guard let response = webkit_web_resource_get_response(resource.pointer) else { return }
                let status = Int(webkit_uri_response_get_status_code(response))
                page.proxyLogin.answered(status)
                page.ledger.answered(
                    .init(bitPattern: resource.pointer), status: status,
                    mediaType: String(copying: webkit_uri_response_get_mime_type(response)) ?? "", at: .now)
            }
        }
        connect(resource, "notify::response", to: self, answered)

        let failed: ResourceFailed = { resource, error, data in
            guard let resource = MainThreadPointer(resource) else { return }
            let message = String(copying: error?.pointee.message) ?? "The load failed."
            CallbackOwner(data)(WebPage.self, otherwise: ()) {
                $0.ledger.failed(.init(bitPattern: resource.pointer), message: message)
            }
        }
        connect(resource, "failed", to: self, failed)

        let refused: ResourceRefused = { resource, _, flags, data in
            guard let resource = MainThreadPointer(resource) else { return }
            CallbackOwner(data)(WebPage.self, otherwise: ()) {
                $0.ledger.failed(.init(bitPattern: resource.pointer), message: tlsMessage(flags))
            }
        }
        connect(resource, "failed-with-tls-errors", to: self, refused)

        let finished: ResourceFinished = { resource, data in
            guard let resource = MainThreadPointer(resource) else { return }
            CallbackOwner(data)(WebPage.self, otherwise: ()) {
                $0.ledger.finished(.init(bitPattern: resource.pointer), at: .now)
            }
            g_object_unref(resource.pointer)
        }
        connect(resource, "finished", to: self, finished)
    }

    // MARK: Questions to a user who is not there

    /// Answers the proxy's 407, and the 401 of the site for which the visit has a password.
    ///
    /// Credentials inside the proxy's URI are of no use: after a 407, WebKitGTK 2.50 repeats the first request with the
    /// proxy itself as its target. Answered here, the credentials go out unasked with later requests; only plain-http
    /// loads without credentials (CORS) are challenged one by one.
    ///
    /// The proxy is answered each time. libsoup 3 takes the user name and password of a page's URL for the proxy's as
    /// well, so any page can make it forget ours; a challenge that gets no answer would then end the view's network for
    /// good.
    private func connectChallenges() {
        let challenged: Challenged = {
            _, challenge, data in
            guard let challenge = MainThreadPointer(challenge) else { return 0 }
            return CallbackOwner(data)(WebPage.self, otherwise: 0) { page in
                let isRetry = webkit_authentication_request_is_retry(challenge.pointer) != 0
                let isProxy = webkit_authentication_request_is_for_proxy(challenge.pointer) != 0
                let known =
                    isProxy
                    ? page.proxyLogin.answer(isRetry: isRetry) : page.siteLogin?.answer(to: challenge.pointer)
                guard let (user, password) = known else {
                    // Continue without: the page then sees the 401 or 407 itself.
                    webkit_authentication_request_authenticate(challenge.pointer, nil)
                    return 1
                }
                let credential = webkit_credential_new(user, password, WEBKIT_CREDENTIAL_PERSISTENCE_FOR_SESSION)
                webkit_authentication_request_authenticate(challenge.pointer, credential)
                webkit_credential_free(credential)
                return 1
            }
        }
        connect(view, "authenticate", to: self, challenged)
    }
}

/// A sentence about a certificate that was refused.
private func tlsMessage(_ flags: GTlsCertificateFlags) -> String {
    let reasons: [(GTlsCertificateFlags, String)] = [
        (G_TLS_CERTIFICATE_UNKNOWN_CA, "its issuer is unknown"),
        (G_TLS_CERTIFICATE_BAD_IDENTITY, "it is for another host"),
        (G_TLS_CERTIFICATE_NOT_ACTIVATED, "it is not valid yet"),
        (G_TLS_CERTIFICATE_EXPIRED, "it has expired"),
        (G_TLS_CERTIFICATE_REVOKED, "it was revoked"),
        (G_TLS_CERTIFICATE_INSECURE, "its algorithm is insecure"),
    ]
    let given = reasons.filter { flags.rawValue & $0.0.rawValue != 0 }.map(\.1)
    return "The server's certificate was refused: "
        + (given.isEmpty ? "it could not be verified" : given.joined(separator: ", ")) + "."
}
