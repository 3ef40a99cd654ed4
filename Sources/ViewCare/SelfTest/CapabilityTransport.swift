import CacheEngine
import HTTPTypes
import Locking

/// The network of a self-test: a page that tries every kind of load, and all that it asks for, without any connection.
///
/// A web view opens ``pageURL`` in the mode that is to be measured, with a cache over this transport; then ``script``
/// gives the results for ``CapabilityReport/init(_:)``.
package final class CapabilityTransport: OriginTransport {
    /// In a domain that no network has (RFC 6761 §6.2).
    package static let host = "capabilities.larder.test"
    package static let pageURL = "https://capabilities.larder.test/"
    /// Another origin, for loads across origins.
    static let otherHost = "other.larder.test"
    /// All hosts that the page asks.
    package static let hosts = [host, otherHost]

    /// The body of an asynchronous function for the page's own world. It returns within half a minute.
    package static let script = "return await window.larderCapabilities"

    /// Received uploads, by the name in the query: a page can't know how its beacon went.
    private let uploads = LockedBox<[String: String]>([:])

    package init() {}

    package func send(_ request: TransportRequest) async throws -> TransportResponse {
        let parts = (request.head.path ?? "/").split(separator: "?", maxSplits: 1)
        let (path, query) = (String(parts.first ?? "/"), parts.count > 1 ? String(parts[1]) : "")
        var content = ""
        if let body = request.body {
            while content.utf8.count < Self.greatestUpload, let piece = try await body.source.next() {
                content += String(decoding: piece, as: UTF8.self)
            }
        }
        var fields: HTTPFields = [.cacheControl: "no-store"]
        if request.head.headerFields[.origin] != nil { fields[.accessControlAllowOrigin] = "*" }
        switch path {
        case "/redirect": return respond(302, [.location: "/text", .cacheControl: "no-store"], "")
        case "/cookie": fields[.setCookie] = "probe=1; Path=/; Secure; HttpOnly"
        case "/echo": return respond(200, fields, content)
        case "/keep":
            if uploads.withLock({ $0.count }) < Self.greatestCount { uploads.withLock { $0[query] = content } }
            return respond(204, fields, "")
        case "/kept": return respond(200, fields, uploads.withLock { $0[query] ?? "" })
        case "/form":
            fields[.contentType] = "text/html"
            return respond(
                200, fields, "<!doctype html><title>\(content.contains("probe") ? "whole" : "empty")</title>")
        case "/seen-cookie":
            return respond(200, fields, request.head.headerFields[.cookie]?.contains("probe=1") == true ? "yes" : "no")
        default: break
        }
        guard let resource = CapabilityPage.resources[path] else { return respond(404, fields, "") }
        fields[.contentType] = resource.type
        fields[.cacheControl] = path == "/" ? "no-store" : "max-age=60"
        return respond(200, fields, resource.content)
    }

    private static let greatestUpload = 65_536
    private static let greatestCount = 64

    private func respond(_ status: Int, _ fields: HTTPFields, _ text: String) -> TransportResponse {
        let bytes = Array(text.utf8)
        return TransportResponse(
            head: HTTPResponse(status: .init(code: status), headerFields: fields),
            body: ResponseBody.bytes(bytes).makeSource(),
            bodyLength: status == 204 ? nil : Int64(bytes.count))
    }
}
