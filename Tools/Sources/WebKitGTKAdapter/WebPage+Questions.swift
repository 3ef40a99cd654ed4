import CWebKitGTK
import Fetching
import Foundation
import HTTPTypes
import ViewCare
import WebVisit

/// Questions to a user who is not there: dialogs, file choices, downloads, windows and other apps' URLs.
extension WebPage {
    private typealias View = UnsafeMutablePointer<WebKitWebView>
    private typealias Download = UnsafeMutablePointer<WebKitDownload>
    private typealias Asked = @convention(c) (View?, OpaquePointer?, gpointer?) -> gboolean
    private typealias FileAsked =
        @convention(c) (View?, UnsafeMutablePointer<WebKitFileChooserRequest>?, gpointer?) -> gboolean
    private typealias PolicyAsked =
        @convention(c) (
            View?, UnsafeMutablePointer<WebKitPolicyDecision>?, WebKitPolicyDecisionType, gpointer?
        ) -> gboolean
    private typealias DownloadStarted =
        @convention(c) (UnsafeMutablePointer<WebKitWebContext>?, Download?, gpointer?) -> Void

    func connectQuestions() {
        connectDialogs()
        connectPolicy()
        // Nothing is saved.
        let downloadStarted: DownloadStarted = { _, download, _ in
            if let download { webkit_download_cancel(download) }
        }
        connect(context, "download-started", to: self, downloadStarted)
    }

    // MARK: Dialogs

    private func connectDialogs() {
        let dialog: Asked = { _, dialog, data in
            // Unchecked because GLib calls on the main thread only.
            nonisolated(unsafe) let dialog = dialog
            return CallbackOwner(data)(WebPage.self, otherwise: 1) { page in
                page.answer(dialog)
                return 1
            }
        }
        connect(view, "script-dialog", to: self, dialog)
        let handled: Asked = { _, _, _ in 1 }
        connect(view, "print", to: self, handled)
        let chooser: FileAsked = { _, chooser, data in
            guard let chooser = MainThreadPointer(chooser) else { return 1 }
            return CallbackOwner(data)(WebPage.self, otherwise: 1) { page in
                guard !page.answers.files.isEmpty else {
                    webkit_file_chooser_request_cancel(chooser.pointer)
                    return 1
                }
                let names: [UnsafeMutablePointer<CChar>?] = page.answers.files.map { strdup($0) } + [nil]
                var pointers = names.map { UnsafePointer($0) }
                webkit_file_chooser_request_select_files(chooser.pointer, &pointers)
                names.forEach { free($0) }
                return 1
            }
        }
        connect(view, "run-file-chooser", to: self, chooser)
    }

    private func answer(_ dialog: OpaquePointer?) {
        let type = webkit_script_dialog_get_dialog_type(dialog)
        let text = String(copying: webkit_script_dialog_get_message(dialog)) ?? ""
        switch type {
        case WEBKIT_SCRIPT_DIALOG_CONFIRM:
            webkit_script_dialog_confirm_set_confirmed(dialog, answers.confirms ? 1 : 0)
            answers.notice(.dialog(kind: "confirm", text: text))
        case WEBKIT_SCRIPT_DIALOG_BEFORE_UNLOAD_CONFIRM:
            webkit_script_dialog_confirm_set_confirmed(dialog, 1)
            answers.notice(.dialog(kind: "beforeunload", text: text))
        case WEBKIT_SCRIPT_DIALOG_PROMPT:
            if let answer = answers.text { webkit_script_dialog_prompt_set_text(dialog, answer) }
            answers.notice(.dialog(kind: "prompt", text: text))
        default: answers.notice(.dialog(kind: "alert", text: text))
        }
    }

    // MARK: Windows and other apps

    private func connectPolicy() {
        let asked: PolicyAsked = { _, decision, type, data in
            guard let decision = MainThreadPointer(decision) else { return 0 }
            return CallbackOwner(data)(WebPage.self, otherwise: 0) { $0.decide(decision.pointer, type) ? 1 : 0 }
        }
        connect(view, "decide-policy", to: self, asked)
    }

    /// - Returns: Whether the decision was made here.
    private func decide(_ decision: UnsafeMutablePointer<WebKitPolicyDecision>, _ type: WebKitPolicyDecisionType)
        -> Bool
    {
        guard type != WEBKIT_POLICY_DECISION_TYPE_RESPONSE else { return decideResponse(decision) }
        let action = webkit_navigation_policy_decision_get_navigation_action(
            decision.cast(to: WebKitNavigationPolicyDecision.self))
        // A click leaves the page as it is; a redirect of the main document has nothing to show in its place.
        let endsLoad = isAwaitingDocument && webkit_navigation_action_is_redirect(action) != 0
        guard answers.handsOver || endsLoad else { return false }
        let url = String(copying: webkit_uri_request_get_uri(webkit_navigation_action_get_request(action))) ?? ""
        let opensWindow = type == WEBKIT_POLICY_DECISION_TYPE_NEW_WINDOW_ACTION
        let isMain = isOfMain(action, url)
        let initiator = initiator(of: action, url)
        let moved = isMain ? answers.moved(url) : nil
        // WebKitGTK does not say which frame navigates. Frames may show `data:` and `blob:`, so only what leads out of
        // the view is decided here.
        switch NavigationDecision.decide(
            url: url, from: committedURL.map { WebOrigin(url: $0) }, isMainFrame: true, opensWindow: opensWindow,
            isUserAction: webkit_navigation_action_is_user_gesture(action) != 0)
        {
        case .handToApp(let url):
            if endsLoad { handToApp(url) } else { answers.notice(.external(url: url, isNewWindow: false)) }
        case .loadInSameView(let url):
            answers.notice(.external(url: url, isNewWindow: true))
            load(url, by: initiator)
        case .refuse(let reason) where endsLoad:
            refuseLoad("The address redirects to '\(url)', where no page may lead (\(reason.rawValue)).")
        case .load where moved != nil: load(moved ?? url, by: initiator)
        case .refuse(.noUserAction): break
        case .refuse where opensWindow: break
        default:
            guard answers.handsOver else { return false }
            let isForm = Self.isForm(webkit_navigation_action_get_navigation_type(action))
            if isForm == true, let wait = answers.wait(url) {
                hold(decision, of: url, by: initiator, until: wait)
                return true
            }
            let isReload = webkit_navigation_action_get_navigation_type(action) == WEBKIT_NAVIGATION_TYPE_RELOAD
            // No frame has the address of the page around it.
            if isReload, isMain || url == committedURL { answers.reloads(url) }
            answers.announce(url, isForm, initiator)
            return false
        }
        webkit_policy_decision_ignore(decision)
        return true
    }

    /// Lets a form's document load once its content is there: WebKit stops what a page has under way when it navigates.
    /// A navigation that another one has overtaken meanwhile stays where it is.
    private func hold(
        _ decision: UnsafeMutablePointer<WebKitPolicyDecision>, of url: String,
        by initiator: RequestEvidence.Initiator?,
        until wait: @escaping @MainActor @Sendable () async -> Void
    ) {
        g_object_ref(decision)
        let held = MainThreadPointer(decision)
        Task { @MainActor [weak self] in
            await wait()
            guard let held else { return }
            self?.answers.announce(url, true, initiator)
            webkit_policy_decision_use(held.pointer)
            g_object_unref(held.pointer)
        }
    }

    /// Whether it is the main document that goes elsewhere, by GET: WebKitGTK says neither. Where it has frames, only a
    /// link or form of which the document has told is known.
    private func isOfMain(_ action: OpaquePointer?, _ url: String) -> Bool {
        guard let clicked, clicked.url == url || clicked.url == String(url.prefix { $0 != "?" && $0 != "#" }) else {
            return !shown.hasFrames
                && Self.isForm(webkit_navigation_action_get_navigation_type(action)) != true
        }
        return clicked.isMain
    }

    /// WebKitGTK does not say which document has begun a navigation. Only one of its own origin can have a document
    /// loaded again; a link or form was clicked where the document said so; all else may be of any that is shown.
    private func initiator(
        of action: OpaquePointer?, _ url: String
    ) -> RequestEvidence.Initiator? {
        let type = webkit_navigation_action_get_navigation_type(action)
        let isBegun =
            begun?.url.map { Self.normal($0) == Self.normal(url) } ?? (type == WEBKIT_NAVIGATION_TYPE_BACK_FORWARD)
        if let begun, isBegun {
            self.begun = nil
            return begun.by
        }
        defer { (clicked, _) = (nil, shown.announced(url)) }
        switch type {
        case WEBKIT_NAVIGATION_TYPE_RELOAD: return .document([WebOrigin(url: url)])
        case WEBKIT_NAVIGATION_TYPE_LINK_CLICKED where clicked?.url == url,
            WEBKIT_NAVIGATION_TYPE_FORM_SUBMITTED where clicked?.url == String(url.prefix { $0 != "?" && $0 != "#" }):
            return .document(Set([clicked?.origin].compactMap(\.self)))
        default: return .document(shown.origins)
        }
    }

    private static func normal(_ url: String) -> String { WebURL(url)?.urlWithFragment ?? url }

    private static func isForm(_ type: WebKitNavigationType) -> Bool? {
        switch type {
        case WEBKIT_NAVIGATION_TYPE_FORM_SUBMITTED: true
        case WEBKIT_NAVIGATION_TYPE_LINK_CLICKED, WEBKIT_NAVIGATION_TYPE_OTHER: false
        default: nil
        }
    }

    // MARK: Downloads

    /// Says what came instead of a page: WebKitGTK leaves attachments (RFC 6266 §4.2) and types that it can't show
    /// unloaded.
    private func decideResponse(_ decision: UnsafeMutablePointer<WebKitPolicyDecision>) -> Bool {
        let asked = decision.cast(to: WebKitResponsePolicyDecision.self)
        let isMain = webkit_response_policy_decision_is_main_frame_main_resource(asked) != 0
        guard let response = webkit_response_policy_decision_get_response(asked) else { return false }
        let canShow = webkit_response_policy_decision_is_mime_type_supported(asked) != 0
        let head = HTTPResponse(
            status: .init(code: Int(webkit_uri_response_get_status_code(response))),
            headerFields: HTTPFields(webkit_uri_response_get_http_headers(response)))
        switch NavigationDecision.decide(response: head, canShow: canShow) {
        case .stay:
            if isMain { keepsPage = true }
        case .download(let why) where isMain: offer(response, why)
        default: return false
        }
        webkit_policy_decision_ignore(decision)
        return true
    }

    /// Notes what came instead of a page.
    private func offer(_ response: UnsafeMutablePointer<WebKitURIResponse>, _ reason: NavigationDecision.Reason) {
        let url = String(copying: webkit_uri_response_get_uri(response)) ?? ""
        offeredDownload = OfferedDownload(
            url: AppCacheScheme.networkURL(of: url) ?? url,
            mediaType: String(copying: webkit_uri_response_get_mime_type(response)) ?? "",
            fileName: String(copying: webkit_uri_response_get_suggested_filename(response)).flatMap {
                DownloadName.harmless($0)
            }, reason: reason.rawValue)
    }

    /// Takes a main load that WebKit has given up for a download.
    ///
    /// WebKitGTK 2.50 shows no fields of what a scheme handler has answered, so that an attachment is not known before.
    func noteInterruption(_ error: LoadError) {
        guard error.domain == "WebKitPolicyError", offeredDownload == nil, handedToApp == nil, isAwaitingDocument,
            error.code == Int(WEBKIT_POLICY_ERROR_FRAME_LOAD_INTERRUPTED_BY_POLICY_CHANGE.rawValue),
            let resource = webkit_web_view_get_main_resource(view),
            let response = webkit_web_resource_get_response(resource)
        else { return }
        offer(response, .attachment)
    }
}
