import CWebKitGTK
import Foundation
import HTTPCacheSemantics
import PageScripts
import SchemeTasks
import WebVisit

/// Hands the scheme tasks of one web view to Larder.
///
/// WebKit tells nobody that it has stopped a request; but then it gives up its reference, and where that was the last
/// one, the request says goodbye. So nothing here keeps a request alive.
@MainActor
final class SchemeHandler {
    let requests: ViewRequests
    /// The document that the view shows; its site is the first party of what is asked for.
    var documentURL: () -> String? = { nil }
    /// The wish for the next request for this URL, as in ``VisitRequest/cacheMode``. WebKitGTK takes fields for http
    /// and https alone.
    var cacheMode: (url: String, mode: String)?

    /// - Parameter responder: Answers every request of these schemes.
    init(_ responder: WebViewResponder, hook: UploadScript) {
        requests = ViewRequests(
            responder, hook: hook, uploads: PageUploads { try UploadFile(in: NSTemporaryDirectory()) })
    }

    /// Scheme tasks that are neither finished nor failed nor stopped.
    var openTasks: Int { requests.driver.openTasks }

    /// Takes over a scheme for all views of a context; they must live no longer than this.
    func register(_ scheme: String, in context: UnsafeMutablePointer<WebKitWebContext>) {
        webkit_web_context_register_uri_scheme(
            context, scheme,
            { request, data in
                guard let request = MainThreadPointer(request) else { return }
                CallbackOwner(data)(SchemeHandler.self, otherwise: ()) { $0.start(request.pointer) }
            }, Unmanaged.passUnretained(self).toOpaque(), nil)
    }

    private func start(_ request: UnsafeMutablePointer<WebKitURISchemeRequest>) {
        let task = WebKitSchemeTask(request, requests.driver)
        var made = WebViewRequest(request, documentURL: documentURL())
        if let wish = cacheMode, wish.url == made.url {
            made.fields[CacheMode.field] = wish.mode
            cacheMode = nil
        }
        requests.start(task.id, task, made)
    }
}
