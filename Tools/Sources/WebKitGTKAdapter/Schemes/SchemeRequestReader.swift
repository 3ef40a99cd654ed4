import CWebKitGTK
import HTTPTypes
import Interception

/// Reads what WebKit tells of a request to a scheme handler.
@MainActor
enum SchemeRequestReader {
    enum Body {
        case none
        case bytes([UInt8])
        /// Comes in pieces.
        case upload(PageUpload)
        /// Has been collected before.
        case form(HeldForm)
        /// The request brings a part of the content of another one.
        case part(UploadPart, [UInt8])
        /// Why the content can't be had.
        case unreadable(String)
    }

    /// Uploads are held in memory: 64 MiB.
    private static let bodyLimit = 67_108_864

    /// - Parameter documentURL: The document that the view shows.
    static func read(
        _ request: UnsafeMutablePointer<WebKitURISchemeRequest>, documentURL: String?, hook: BodyHook,
        uploads: PageUploads, navigations: inout AnnouncedNavigations, counts: inout ScriptCounts
    ) -> (ObservedRequest, Body) {
        var url = String(copying: webkit_uri_scheme_request_get_uri(request)) ?? ""
        let method = String(copying: webkit_uri_scheme_request_get_http_method(request)) ?? "GET"
        var fields = fields(of: webkit_uri_scheme_request_get_http_headers(request))
        let mark = hook.takeMark(from: &fields) ?? hook.takeMark(from: &url)
        if let mark { counts.note(mark) }
        let verb = HTTPRequest.Method(method) ?? .get
        // What the script has marked is asked for by scripts.
        let navigation =
            mark == nil ? navigations.take(url, method: verb, fields) : ObservedRequest.Navigation.none
        var observed = ObservedRequest(
            method: verb, url: url, fields: fields, topLevelURL: documentURL, navigation: navigation,
            credentials: mark?.credentials, redirect: mark?.redirect)
        observed.alwaysShowsForeignOrigin = true
        (observed.cacheMode, observed.referrerPolicy) = (mark?.cache, mark?.referrerPolicy)
        (observed.isKeepalive, observed.timeout) = (mark?.isKeepalive ?? false, mark?.timeout)
        if mark != nil { observed.redirectMark = hook.redirectMark }
        if mark?.fault != nil { return (observed, .unreadable("The injected script had a fault.")) }
        if let part = mark?.upload { return (observed, body(of: request, part, url, uploads)) }
        if mark == nil, isForm(observed, "multipart/form-data") {
            let body = formBody(of: request, uploads, &observed)
            return (observed, body)
        }
        return (observed, body(of: request, observed, isMarked: mark != nil))
    }

    static func fields(of headers: OpaquePointer?) -> HTTPFields {
        var fields = HTTPFields()
        guard let headers else { return fields }
        var iterator = SoupMessageHeadersIter()
        soup_message_headers_iter_init(&iterator, headers)
        var (name, value): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
        while soup_message_headers_iter_next(&iterator, &name, &value) != 0 {
            guard let name = String(copying: name).flatMap({ HTTPField.Name($0) }), let value = String(copying: value)
            else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }

    /// The content, where reading it is safe.
    ///
    /// WebKitGTK 2.50 crashes this process when content is read that holds a Blob or File. A plain form holds none; what
    /// scripts send is marked by ``BodyHook`` once it holds none.
    private static func body(
        of request: UnsafeMutablePointer<WebKitURISchemeRequest>, _ observed: ObservedRequest, isMarked: Bool
    ) -> Body {
        guard ![.get, .head, .options].contains(observed.method) else { return .none }
        let isReadable =
            isMarked || isForm(observed, "application/x-www-form-urlencoded") || isForm(observed, "text/plain")
        guard isReadable else {
            // Without a type there may be content all the same: a buffer, or a Blob. Even to ask whether there is any
            // crashes where it holds a Blob. Other methods hardly ever have content.
            guard observed.fields.contains(.contentType) || [.post, .put, .patch].contains(observed.method)
            else { return .none }
            return .unreadable(unreadable)
        }
        guard let bytes = content(of: request, limit: bodyLimit) else { return .unreadable(tooLong) }
        // RFC 9110 §8.6: without content, only methods that mean some say that it is empty.
        return bytes.isEmpty && ![.post, .put, .patch].contains(observed.method) ? .none : .bytes(bytes)
    }

    /// What has to do with an upload in pieces.
    private static func body(
        of request: UnsafeMutablePointer<WebKitURISchemeRequest>, _ part: UploadPart, _ url: String,
        _ uploads: PageUploads
    ) -> Body {
        switch part {
        case .content(let id):
            guard let upload = uploads.claim(id, url: url) else { return .unreadable(unreadable) }
            if upload.isWhole {
                guard let bytes = content(of: request, limit: bodyLimit) else { return .unreadable(tooLong) }
                upload.give(bytes)
            }
            return .upload(upload)
        case .begin, .hold, .follow, .failure: return .part(part, [])
        case .piece:
            return content(of: request, limit: PageUpload.greatestPiece).map { .part(part, $0) } ?? .unreadable(tooLong)
        }
    }

    /// A form whose content comes in pieces, or has come. What else a page sends in this way may hold a file.
    private static func formBody(
        of request: UnsafeMutablePointer<WebKitURISchemeRequest>, _ uploads: PageUploads,
        _ observed: inout ObservedRequest
    ) -> Body {
        switch uploads.formContent(
            url: observed.url, fields: &observed.fields, native: { content(of: request, limit: $0) })
        {
        case .upload(let upload): .upload(upload)
        case .form(let form): .form(form)
        case .unreadable(let error): .unreadable(error?.message ?? unreadable)
        }
    }

    /// Whether a form is sent, with content of this type.
    private static func isForm(_ observed: ObservedRequest, _ type: String) -> Bool {
        observed.method == .post
            && (observed.navigation != ObservedRequest.Navigation.none || observed.fields[fetchMode] == "navigate")
            && observed.fields[.contentType]?.lowercased().hasPrefix(type) == true
    }

    /// - Returns: `nil` for what is longer than the limit, and where it breaks off.
    private static func content(
        of request: UnsafeMutablePointer<WebKitURISchemeRequest>, limit: Int
    ) -> [UInt8]? {
        guard let stream = webkit_uri_scheme_request_get_http_body(request) else { return [] }
        defer { g_object_unref(stream) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = g_input_stream_read(stream, &piece, gsize(piece.count), nil, nil)
            guard count >= 0 else { return nil }
            guard count > 0 else { return bytes }
            guard bytes.count + count <= limit else { return nil }
            bytes += piece[..<count]
        }
    }

    private static let unreadable =
        "The content of this upload can't be read here; use the mode proxy for uploads of workers, and for files in forms that no script sees."
    private static let tooLong =
        "This upload is longer than 64 MiB and no Blob or File, or it broke off; use the mode proxy for such uploads."
    private static let fetchMode = HTTPField.Name("Sec-Fetch-Mode") ?? .accept
}
