import Fetching
import HTTPTypes
import PageScripts

/// The requests of one web view that its scheme handler gets: read, and answered from the cache.
///
/// An adapter hands over what the web view shows of each, and tells of navigations and stops; everything else is here,
/// the same for every web view.
@MainActor
package final class ViewRequests {
    package let driver: SchemeTaskDriver
    private let responder: WebViewResponder
    private let hook: UploadScript
    private let uploads: PageUploads
    /// The forms that pages of this view have begun last. Those of another view keep no navigation of this one waiting.
    private var heldForms: [UploadID] = []
    /// Counts of what the injected script has done so far.
    package private(set) var counts = ScriptCounts()
    /// To be told of each document that is to come, in the main frame or another one.
    package var navigations = AnnouncedNavigations()
    /// Told of requests of the page for hosts that are answered here, which went past the handler, and how many.
    package var wentPast: (_ requests: Int) -> Void = { _ in }
    /// Told of each document that is asked for with GET.
    package var documentWithoutForm: (_ url: String) -> Void = { _ in }

    /// - Parameters:
    ///   - hook: The one whose scripts run in the view.
    ///   - uploads: Of this view, or of all that share its configuration.
    package init(
        _ responder: WebViewResponder, hook: UploadScript, uploads: PageUploads = PageUploads(),
        driver: SchemeTaskDriver = SchemeTaskDriver()
    ) {
        self.responder = responder
        self.hook = hook
        self.uploads = uploads
        self.driver = driver
    }

    /// Answers a request, perhaps before this returns.
    ///
    /// - Parameter id: See ``SchemeTaskDriver/start(_:_:answer:takesPlace:timeout:)``.
    package func start(_ id: SchemeTaskID, _ task: any SchemeTask, _ shown: WebViewRequest) {
        do throws(SchemeTaskError) {
            let (observed, content) = try read(shown)
            if observed.method == .get, observed.navigation != RequestEvidence.Navigation.none {
                documentWithoutForm(observed.url)
            }
            switch content {
            case .content(let content):
                let answer = responder.answer(observed, content)
                driver.start(id, task, answer: answer, timeout: observed.options.timeout)
            case .aside(let answer): driver.start(id, task, answer: answer, takesPlace: false)
            }
        } catch {
            driver.start(id, task, answer: .failed(error))
        }
    }

    /// Whether a form's navigation to this URL has to wait, as its page still sends the content. Then call
    /// ``waitForForms(at:)`` before the web view may navigate.
    package func holdsForm(at url: String) -> Bool { uploads.forms.hasUnclaimed(at: url, among: heldForms) }

    /// Returns when the web view may navigate.
    package func waitForForms(at url: String) async { await uploads.forms.release(at: url, among: heldForms) }

    // MARK: Reading

    private enum Content {
        case content(RequestContent?)
        /// The request says only what its mark says, or brings a part of the content of another one.
        case aside(LoadAnswer)
    }

    /// Content that comes with its request is held in memory: 64 MiB. The script sends longer
    /// bodies in pieces, except synchronous ones.
    private static let contentLimit = 67_108_864

    /// - Throws: Where the content can't be had.
    private func read(_ shown: WebViewRequest) throws(SchemeTaskError) -> (RequestEvidence, Content) {
        var (url, fields) = (shown.url, shown.fields)
        let mark = hook.takeMark(from: &fields) ?? hook.takeMark(from: &url, fields)
        let needsCORSElsewhere = UploadScript.takeOwnRequestField(from: &fields)
        if let mark { counts.note(mark) }
        if let escaped = mark?.addresses?.escaped, escaped > 0 { wentPast(escaped) }
        let method = HTTPRequest.Method(shown.method) ?? .get
        // Requests that the script has marked are made by scripts.
        let navigation = mark == nil ? navigations.take(url, method: method, fields) : (kind: .none, initiator: nil)
        var observed = RequestEvidence(
            method: method, url: url, fields: fields, topLevelURL: shown.topLevelURL, navigation: navigation.kind,
            options: mark?.options ?? ScriptOptions())
        observed.initiator = navigation.initiator
        observed.needsCORSElsewhere = needsCORSElsewhere
        if mark != nil { observed.redirectMark = hook.redirectMark }
        observed.isFetch = mark.map { $0.concern != .eventSource } ?? false
        if mark?.addresses != nil { return (observed, .aside(uploads.taken)) }
        if mark?.fault != nil { throw SchemeTaskError(code: .refused, message: "The injected script had a fault.") }
        // The script does not see what `open` adds to the URL.
        if let part = mark?.upload { return (observed, try content(shown, part, URLUserinfo.removed(from: url))) }
        if mark == nil, Self.isForm(observed, "multipart/form-data") {
            // One whose content comes in pieces, or has come. What else a page sends in this way may hold a file.
            let form = try uploads.formContent(url: observed.url, fields: &observed.fields, native: shown.content)
            guard let form else { throw Self.unreadable }
            return (observed, .content(form))
        }
        return (observed, try Self.content(shown, observed, isMarked: mark != nil))
    }

    /// The content, where it is known to hold no Blob or File: reading one crashes WebKitGTK 2.50, and Apple's
    /// platforms leave it out. A plain form holds none, nor does what the app loads; what scripts send is marked by
    /// ``UploadScript`` once it holds none.
    private static func content(
        _ shown: WebViewRequest, _ observed: RequestEvidence, isMarked: Bool
    ) throws(SchemeTaskError) -> Content {
        guard ![.get, .head, .options].contains(observed.method) else { return .content(nil) }
        let isReadable =
            isMarked || observed.initiator == .app || isForm(observed, "application/x-www-form-urlencoded")
            || isForm(observed, "text/plain")
        guard isReadable else {
            // Without a type there may be content all the same: a buffer, or a Blob. Even to ask whether there is any
            // crashes WebKitGTK where it holds a Blob. Other methods hardly ever have content.
            guard observed.fields.contains(.contentType) || [.post, .put, .patch].contains(observed.method)
            else { return .content(nil) }
            throw unreadable
        }
        guard let bytes = shown.content(contentLimit) else { throw tooLong }
        // RFC 9110 §8.6: without content, only methods that mean some say that it is empty.
        return .content(bytes.isEmpty && ![.post, .put, .patch].contains(observed.method) ? nil : .bytes(bytes))
    }

    /// The content of a request that belongs to an upload in pieces.
    private func content(
        _ shown: WebViewRequest, _ part: UploadPart, _ url: String
    ) throws(SchemeTaskError) -> Content {
        switch part {
        case .content(let id):
            guard let upload = uploads.claim(id, url: url) else { throw Self.unreadable }
            if upload.isWhole {
                guard let bytes = shown.content(Self.contentLimit) else { throw Self.tooLong }
                upload.give(bytes)
            }
            return .content(.upload(upload))
        case .hold(let id, _): heldForms = (heldForms + [id]).suffix(16)
        case .begin, .follow, .failure: break
        case .piece:
            guard let bytes = shown.content(PageUpload.greatestPiece) else { throw Self.tooLong }
            return .aside(uploads.answer(part, url: url, content: bytes))
        }
        return .aside(uploads.answer(part, url: url, content: []))
    }

    /// Whether a form is sent, with content of this type.
    private static func isForm(_ observed: RequestEvidence, _ type: String) -> Bool {
        observed.method == .post
            && (observed.navigation != RequestEvidence.Navigation.none
                || observed.fields[FetchField.secFetchMode] == "navigate")
            && observed.fields[.contentType]?.lowercased().hasPrefix(type) == true
    }

    private static let unreadable = SchemeTaskError(
        code: .refused,
        message: """
            The content of this upload can't be read here; use the mode proxy for uploads of workers, and for files in \
            forms that no script sees.
            """)
    private static let tooLong = SchemeTaskError(
        code: .refused,
        message: """
            This upload is longer than 64 MiB and no script of Larder's could send it in pieces, or it broke off; use \
            the mode proxy for such uploads.
            """)
}

/// A request as a web view shows it to its scheme handler.
package struct WebViewRequest {
    package var method: String
    /// Absolute, with its fragment.
    package var url: String
    package var fields: HTTPFields
    /// The URL of the document that the view shows, or that it loads; `nil` without one.
    package var topLevelURL: String?
    /// Reads the content, to its end: empty where there is none, `nil` where it is longer than so many bytes or breaks
    /// off. Called at most once, and only for content that holds no Blob or File.
    package var content: (_ limit: Int) -> [UInt8]?

    package init(
        method: String, url: String, fields: HTTPFields, topLevelURL: String?,
        content: @escaping (_ limit: Int) -> [UInt8]?
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.topLevelURL = topLevelURL
        self.content = content
    }
}
