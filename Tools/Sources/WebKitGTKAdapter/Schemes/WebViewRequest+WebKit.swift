import CWebKitGTK
import HTTPTypes
import SchemeTasks

extension WebViewRequest {
    /// Reads what WebKit tells of a request to a scheme handler; its content only once that is asked for.
    ///
    /// - Parameter documentURL: The document that the view shows.
    @MainActor
    init(_ request: UnsafeMutablePointer<WebKitURISchemeRequest>, documentURL: String?) {
        self.init(
            method: String(copying: webkit_uri_scheme_request_get_http_method(request)) ?? "GET",
            url: String(copying: webkit_uri_scheme_request_get_uri(request)) ?? "",
            fields: HTTPFields(webkit_uri_scheme_request_get_http_headers(request)), topLevelURL: documentURL,
            content: { Self.content(of: request, limit: $0) })
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
}

extension HTTPFields {
    /// - Parameter headers: libsoup's; none where `nil`.
    init(_ headers: OpaquePointer?) {
        self.init()
        guard let headers else { return }
        var iterator = SoupMessageHeadersIter()
        soup_message_headers_iter_init(&iterator, headers)
        var (name, value): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
        while soup_message_headers_iter_next(&iterator, &name, &value) != 0 {
            guard let name = String(copying: name).flatMap({ HTTPField.Name($0) }), let value = String(copying: value)
            else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}
