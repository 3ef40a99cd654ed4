import CWebKitGTK
import HTTPTypes
import Interception

/// Reads what WebKit tells of a request to a scheme handler.
@MainActor
enum SchemeRequestReader {
    enum Body {
        case none
        case bytes([UInt8])
        /// Why the content can't be had.
        case unreadable(String)
    }

    /// Uploads are held in memory: 64 MiB.
    private static let bodyLimit = 67_108_864

    /// - Parameter documentURL: The document that the view shows.
    static func read(
        _ request: UnsafeMutablePointer<WebKitURISchemeRequest>, documentURL: String?, hook: BodyHook,
        navigations: inout AnnouncedNavigations
    ) -> (ObservedRequest, Body) {
        let url = String(copying: webkit_uri_scheme_request_get_uri(request)) ?? ""
        let method = String(copying: webkit_uri_scheme_request_get_http_method(request)) ?? "GET"
        var fields = fields(of: webkit_uri_scheme_request_get_http_headers(request))
        let mark = hook.takeMark(from: &fields)
        let verb = HTTPRequest.Method(method) ?? .get
        var observed = ObservedRequest(
            method: verb, url: url, fields: fields, topLevelURL: documentURL,
            navigation: navigations.take(url, method: verb, fields), credentials: mark?.credentials,
            redirect: mark?.redirect)
        observed.alwaysShowsForeignOrigin = true
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
        let type = observed.fields[.contentType]?.lowercased() ?? ""
        let isForm =
            (observed.navigation != ObservedRequest.Navigation.none || observed.fields[fetchMode] == "navigate")
            && (type.hasPrefix("application/x-www-form-urlencoded") || type.hasPrefix("text/plain"))
        guard isMarked || isForm else {
            // Without a type there may be content all the same: a buffer, or a Blob. Even to ask whether there is any
            // crashes where it holds a Blob. Other methods hardly ever have content.
            guard !type.isEmpty || [.post, .put, .patch].contains(observed.method) else { return .none }
            return .unreadable(
                "The content of this upload can't be read here; use the mode proxy for forms with files and for uploads of workers."
            )
        }
        guard let stream = webkit_uri_scheme_request_get_http_body(request) else { return .bytes([]) }
        defer { g_object_unref(stream) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = g_input_stream_read(stream, &piece, gsize(piece.count), nil, nil)
            guard count >= 0 else { return .unreadable("The content of the upload could not be read.") }
            guard count > 0 else { return .bytes(bytes) }
            guard bytes.count + count <= bodyLimit else {
                return .unreadable("The upload is longer than 64 MiB; use the mode proxy for such uploads.")
            }
            bytes += piece[..<count]
        }
    }

    private static let fetchMode = HTTPField.Name("Sec-Fetch-Mode") ?? .accept
}
