import CWebKitGTK
import Foundation
import HTTPCacheSemantics
import Interception
import WebVisit

/// Hands the scheme tasks of one web view to Larder.
///
/// WebKit tells nobody that it has stopped a request; but then it gives up its reference, and where that was the last
/// one, the request says goodbye. So nothing here keeps a request alive.
@MainActor
final class SchemeHandler {
    private let driver = SchemeTaskDriver()
    private let responder: WebViewResponder
    private let hook: BodyHook
    private let uploads = PageUploads { try UploadFile(in: NSTemporaryDirectory()) }
    /// What the injected script has done so far.
    private(set) var counts = ScriptCounts()
    private var schemes: Set<String> = []
    /// Documents to come, told by whoever hears of navigations.
    var navigations = AnnouncedNavigations()
    /// The document that the view shows; its site is the first party of what is asked for.
    var documentURL: () -> String? = { nil }

    /// Told of each document that is asked for with GET.
    var documentWithoutForm: (String) -> Void = { _ in }

    /// - Parameter responder: Answers every request of these schemes.
    init(_ responder: WebViewResponder, hook: BodyHook) {
        self.responder = responder
        self.hook = hook
    }

    /// Scheme tasks that are neither finished nor failed nor stopped.
    var openTasks: Int { driver.openTasks }

    /// Whether a form's navigation to this URL has to wait for its content.
    func holdsForm(at url: String) -> Bool { uploads.holdsForm(at: url) }

    /// Returns when the content is there, or will never be.
    func waitForForms(at url: String) async { await uploads.waitForForms(at: url) }

    /// Takes over a scheme for all views of a context; they must live no longer than this.
    func register(_ scheme: String, in context: UnsafeMutablePointer<WebKitWebContext>) {
        schemes.insert(scheme)
        webkit_web_context_register_uri_scheme(
            context, scheme,
            { request, data in
                guard let request = MainThreadPointer(request) else { return }
                CallbackOwner(data)(SchemeHandler.self, otherwise: ()) { $0.start(request.pointer) }
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    /// Saves what a URL of these schemes answers.
    ///
    /// - Returns: `false` for URLs of other schemes, of which nothing is done.
    func download(_ url: String, to folder: DownloadFolder, notice: @escaping (SessionNotice) -> Void) -> Bool {
        guard let scheme = TargetURI.split(url)?.scheme, schemes.contains(scheme) else { return false }
        let task = HandledDownload(url, folder: folder, notice: notice)
        driver.start(SchemeTaskID(task), task, answer: responder.download(url, from: documentURL()))
        return true
    }

    private func start(_ request: UnsafeMutablePointer<WebKitURISchemeRequest>) {
        let task = WebKitSchemeTask(request, driver)
        let (observed, body) = SchemeRequestReader.read(
            request, documentURL: documentURL(), hook: hook, uploads: uploads, navigations: &navigations,
            counts: &counts)
        if observed.method == .get, observed.navigation != ObservedRequest.Navigation.none {
            documentWithoutForm(observed.url)
        }
        var takesPlace = true
        let answer: SchemeAnswer
        switch body {
        case .none: answer = responder.answer(observed)
        case .bytes(let bytes): answer = responder.answer(observed, body: bytes)
        case .upload(let upload): answer = responder.answer(observed, upload: upload)
        case .form(let form): answer = responder.answer(observed, form: form)
        case .part(let part, let bytes):
            takesPlace = false
            answer = uploads.answer(part, url: observed.url, content: bytes)
        case .unreadable(let reason): answer = .failed(SchemeTaskError(code: .refused, message: reason))
        }
        driver.start(task.id, task, answer: answer, takesPlace: takesPlace, timeout: observed.timeout)
    }
}
