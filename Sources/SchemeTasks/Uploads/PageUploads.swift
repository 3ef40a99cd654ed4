import CacheEngine
import Fetching
import HTTPTypes
import Locking
import PageScripts

/// The uploads that the pages of one web view, or of those that share a configuration, hand over in pieces.
///
/// Each lasts as long as the request that began it: a page that goes away, or gives up, ends that one. What an upload
/// is called is a secret of the script that began it, and its content goes only to the URL that it was begun for.
package final class PageUploads: Sendable {
    /// Uploads at a time; further ones are refused. A page that wants more harms itself.
    static let greatestCount = 1_024
    /// A form's native content holds one name then; this is more than it can take, in bytes.
    static let greatestFormName = 4_096

    private let uploads = LockedBox<[UploadID: PageUpload]>([:])
    let forms: HeldForms
    /// Memory for pieces that wait for the origin, 1 MiB each. A document has 16 uploads at a time.
    private let waiting = UploadMemory(134_217_728)
    /// Memory for content that a redirect may want once more.
    private let keeping = UploadMemory(67_108_864)

    /// - Parameters:
    ///   - greatestHeld: How much content of forms that replace their own page is kept at a time, in bytes: 2 GiB
    ///     unless set. A form is refused that does not fit.
    ///   - makeSpace: Makes room for such a form that is longer than 4 MiB. Without it those are refused.
    package init(
        greatestHeld: Int64 = 2_147_483_648, makeSpace: (@Sendable () throws -> any UploadSpace)? = nil
    ) {
        forms = HeldForms(greatestLength: greatestHeld, makeSpace: makeSpace)
    }

    /// The number of uploads that have begun and not ended, and of forms that are kept.
    package var count: Int { uploads.withLock { $0.count } + forms.count }

    /// The answer to a request that brings a part of an upload.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - content: The content of the request: the piece.
    package func answer(_ part: UploadPart, url: String, content: [UInt8]) -> LoadAnswer {
        let url = url.withoutFragment
        switch part {
        case .begin(let id, let length, let isForm):
            guard length > 0 else { return Self.refused }
            return begin(
                PageUpload(id, url: url, length: length, isForm: isForm, waiting: waiting, keeping: keeping))
        case .hold(let id, let length):
            return forms.begin(id, url: url, length: length).map(hold) ?? Self.refused
        case .follow(let id): return begin(PageUpload(id, url: url))
        case .piece(let id, let number):
            if let form = forms.form(id, url: url) {
                return .pending { Self.answer(form.give(content, number: number)) }
            }
            guard let upload = upload(id, url) else { return Self.refused }
            return .pending { Self.answer(await upload.give(content, number: number)) }
        case .failure(let id):
            forms.form(id, url: url)?.fail()
            upload(id, url)?.fail()
            return Self.refused
        case .content: return Self.refused
        }
    }

    /// The content of a form's request.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - fields: The fields of the request; their `Content-Type` becomes that of the content.
    ///   - native: Reads what the web view itself would send, up to so many bytes. Called only where that holds a name
    ///     and no file, as reading a file can end the process.
    /// - Returns: `nil` without such a form for this URL. Nothing may be sent then.
    /// - Throws: Where the content is not whole. Nothing may be sent then either.
    package func formContent(
        url: String, fields: inout HTTPFields, native: (_ limit: Int) -> [UInt8]?
    ) throws(SchemeTaskError) -> RequestContent? {
        let found = try form(at: url.withoutFragment, type: fields[.contentType] ?? "", native)
        if let found { fields[.contentType] = "multipart/form-data; boundary=\(found.id.boundary)" }
        return found?.content
    }

    private func form(
        at url: String, type: String, _ native: (_ limit: Int) -> [UInt8]?
    ) throws(SchemeTaskError) -> (content: RequestContent, id: UploadID)? {
        // One that the web view sends once more, as when its answer is loaded again, has the same type.
        if let form = forms.claimed(by: type, url: url) { return (.form(form), form.id) }
        guard expectsForm(at: url), let name = native(Self.greatestFormName) else { return nil }
        if let form = try forms.claim(name, url: url, type: type) { return (.form(form), form.id) }
        for id in UploadID.quoted(in: name) {
            if let upload = claim(id, url: url, isForm: true) { return (.upload(upload), id) }
        }
        return nil
    }

    /// Whether a form is announced that the web view is about to send to this URL. The content of such a request may be
    /// read: it holds a name and no file.
    func expectsForm(at url: String) -> Bool {
        let url = url.withoutFragment
        return forms.hasUnclaimed(at: url)
            || uploads.withLock { $0.values.contains { $0.isForm && !$0.isClaimed.value && $0.url == url } }
    }

    private func hold(_ form: HeldForm) -> LoadAnswer {
        .pending { [forms] in
            let end = await form.waitForEnd()
            // A page that is left by something else than its form.
            if end == .left, !form.isReleased { forms.remove(form) }
            return Self.answer(end == .claimed ? .taken : .failed)
        }
    }

    private func begin(_ upload: PageUpload) -> LoadAnswer {
        let isNew = uploads.withLock { uploads -> Bool in
            guard uploads[upload.id] == nil, uploads.count < Self.greatestCount else { return false }
            uploads[upload.id] = upload
            return true
        }
        guard isNew else { return Self.refused }
        return .pending { [self] in
            let outcome = await upload.waitForEnd()
            uploads.withLock { $0[upload.id] = nil }
            return Self.answer(outcome)
        }
    }

    private func upload(_ id: UploadID, _ url: String) -> PageUpload? {
        uploads.withLock { $0[id] }.flatMap { $0.url == url ? $0 : nil }
    }

    /// The content of a request; each once.
    ///
    /// - Parameter isForm: Whether the web view sends it by itself.
    /// - Returns: `nil` without such an upload for this URL. Nothing may be sent then.
    package func claim(_ id: UploadID, url: String, isForm: Bool = false) -> PageUpload? {
        let url = url.withoutFragment
        return uploads.withLock { uploads in
            guard let upload = uploads[id], !upload.isClaimed.value, upload.url == url, upload.isForm == isForm
            else { return nil }
            upload.isClaimed.value = true
            return upload
        }
    }

    /// The answer to a script that has said something and wants to know nothing.
    var taken: LoadAnswer { .pending { Self.answer(.taken) } }

    private static func answer(_ outcome: PageUpload.Outcome) -> LoadAnswer {
        // Any page may read it, wherever its URL is: it says nothing of what is there.
        let fields: HTTPFields = [
            .accessControlAllowOrigin: "*", .crossOriginResourcePolicy: "cross-origin",
            .cacheControl: "no-store", .contentLength: "0",
        ]
        switch outcome {
        case .taken:
            return .ready(LoadResponse(head: HTTPResponse(status: .ok, headerFields: fields), body: .empty))
        case .unwanted:
            return .ready(LoadResponse(head: HTTPResponse(status: .gone, headerFields: fields), body: .empty))
        case .failed: return refused
        }
    }

    private static var refused: LoadAnswer {
        .failed(
            SchemeTaskError(code: .refused, message: "This part of an upload belongs to no request that is under way."))
    }
}
