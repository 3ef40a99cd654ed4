import CBodyStream
import CWebKitGTK
import Fetching
import HTTPTypes
import SchemeTasks

/// One request of WebKit's to a scheme handler.
@MainActor
final class WebKitSchemeTask: SchemeTask {
    let id: SchemeTaskID
    /// Not retained; `nil` once WebKit has let it go.
    private var request: UnsafeMutablePointer<WebKitURISchemeRequest>?
    private var content: BodyStream?
    private unowned let driver: SchemeTaskDriver

    init(_ request: UnsafeMutablePointer<WebKitURISchemeRequest>, _ driver: SchemeTaskDriver) {
        id = SchemeTaskID(address: UInt(bitPattern: request))
        self.request = request
        self.driver = driver
        let farewell = Unmanaged.passRetained(Farewell { [weak self] in self?.wasStopped() })
        g_object_weak_ref(
            request.cast(to: GObject.self),
            { data, _ in
                CallbackOwner(data)(Farewell.self, otherwise: ()) { farewell in
                    farewell.body()
                    Unmanaged.passUnretained(farewell).release()
                }
            }, farewell.toOpaque())
    }

    /// WebKit has stopped the load, or has read all of it.
    private func wasStopped() {
        request = nil
        driver.stop(id)
    }

    /// Those whose phrases libsoup does not know (RFC 6585, RFC 7725, RFC 8470, RFC 9110 §15.5.20).
    private static let laterStatuses: [HTTPResponse.Status] = [
        .misdirectedRequest, .tooEarly, .preconditionRequired, .tooManyRequests, .requestHeaderFieldsTooLarge,
        .unavailableForLegalReasons,
    ]

    func receive(_ head: HTTPResponse) {
        guard let request else { return }
        let content = BodyStream { [unowned driver, id] in driver.proceed(id) }
        self.content = content
        let length = head.headerFields[.contentLength].flatMap { gint64($0) } ?? -1
        let response = webkit_uri_scheme_response_new(content.stream, length)
        // Stored responses have no phrase; a network would show the usual one.
        let later = Self.laterStatuses.first { $0.code == head.status.code }?.reasonPhrase
        let usual = later ?? String(copying: soup_status_get_phrase(guint(head.status.code))) ?? ""
        let given = head.status.reasonPhrase
        let phrase = given.isEmpty || given.hasSuffix(WebViewResponder.endOfAddress) ? given + usual : given
        webkit_uri_scheme_response_set_status(response, guint(head.status.code), phrase)
        if let type = head.headerFields[.contentType] {
            // `document.contentType` is in lower case.
            let essence = type.prefix { $0 != ";" }
            webkit_uri_scheme_response_set_content_type(response, essence.lowercased() + type[essence.endIndex...])
        }
        let fields = soup_message_headers_new(SOUP_MESSAGE_HEADERS_RESPONSE)
        for field in head.headerFields { soup_message_headers_append(fields, field.name.rawName, field.value) }
        webkit_uri_scheme_response_set_http_headers(response, fields)
        webkit_uri_scheme_request_finish_with_response(request, response)
        g_object_unref(response)
    }

    func receive(_ piece: [UInt8]) -> LoadDemand { content?.give(piece) == true ? .more : .later }

    func finish() { content?.end() }

    func fail(_ error: SchemeTaskError) {
        if let content {
            content.fail(error.message)
        } else if error.code != .moved, let request {
            // A document that was moved is stopped by the load that takes its place.
            let failure = g_error_new_literal(
                g_quark_from_static_string("larder"), 1, error.message)
            webkit_uri_scheme_request_finish_error(request, failure)
            g_error_free(failure)
        }
    }

    /// Work to do when WebKit lets a request go.
    private final class Farewell {
        let body: @MainActor () -> Void
        init(_ body: @escaping @MainActor () -> Void) { self.body = body }
    }
}

/// The content on its way into WebKit. When nobody holds it any more, a reader that waits learns that it breaks off.
@MainActor
private final class BodyStream {
    /// Unchecked because a reference count is all that is used of it outside the main thread.
    private struct Owned: @unchecked Sendable {
        let stream: UnsafeMutablePointer<GInputStream>
    }

    private let owned: Owned
    private let demand: Demand

    private final class Demand {
        let body: @MainActor () -> Void
        init(_ body: @escaping @MainActor () -> Void) { self.body = body }
    }

    var stream: UnsafeMutablePointer<GInputStream> { owned.stream }

    init(demand body: @escaping @MainActor () -> Void) {
        let demand = Demand(body)
        self.demand = demand
        owned = Owned(
            stream: larder_body_stream_new(
                { data in CallbackOwner(data)(Demand.self, otherwise: ()) { $0.body() } },
                Unmanaged.passUnretained(demand).toOpaque()))
    }

    /// Whether all of it was read at once.
    func give(_ piece: [UInt8]) -> Bool {
        piece.withUnsafeBytes { larder_body_stream_give(stream, $0.baseAddress, gsize($0.count)) != 0 }
    }

    func end() { larder_body_stream_end(stream) }

    func fail(_ message: String) { larder_body_stream_fail(stream, message) }

    deinit {
        larder_body_stream_fail(owned.stream, "The content was given up.")
        g_object_unref(owned.stream)
    }
}
