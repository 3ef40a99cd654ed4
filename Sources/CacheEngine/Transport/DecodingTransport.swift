import HTTPCacheSemantics
import HTTPTypes

/// Handles a transport that takes content codings off, as URLSession does: what arrives is the content without
/// them, while the head still speaks of the content with them.
///
/// Such content is stored as what it is, without a coding, so that a store is right under every transport.
package enum DecodingTransport {
    /// Whether the content of a response arrives without its codings: it has some, and the transport takes off each.
    package static func isDecoded(_ fields: HTTPFields, by codings: Set<String>) -> Bool {
        let applied = ContentCoding.names(of: fields)
        return !applied.isEmpty && applied.allSatisfy(codings.contains)
    }

    /// The request as such a transport is to send it.
    ///
    /// A range counts the octets of one coding of the content (RFC 9110 §14.2, §8.8.1), which this transport can't hand
    /// over: so it is asked for without any. Otherwise only codings are accepted that are taken off: others arrive as
    /// they are, and a mixture of both is of no use.
    static func prepare(_ request: inout HTTPRequest, for codings: Set<String>) {
        guard !codings.isEmpty else { return }
        if request.headerFields.contains(.range) {
            request.headerFields[.acceptEncoding] = "identity"
        } else if let offers = ContentCoding.offers(request.headerFields, among: codings) {
            request.headerFields[.acceptEncoding] = offers.isEmpty ? "identity" : offers.joined(separator: ", ")
        }
    }

    /// The response as it is without its codings.
    ///
    /// - Throws: `TransportError` for a range of coded content, which can't be decoded by itself.
    static func settle(
        _ response: inout TransportResponse, to request: HTTPRequest, for codings: Set<String>
    ) throws(TransportError) {
        guard !codings.isEmpty, isDecoded(response.head.headerFields, by: codings) else { return }
        guard response.head.status != .partialContent else {
            response.body.cancel()
            throw TransportError(
                code: .malformedResponse,
                message:
                    "'\(request.authority ?? "")' answered with a range of content in a coding that was not asked for.")
        }
        response.head.headerFields[.contentEncoding] = nil
        response.head.headerFields.describeOtherForm()
        response.bodyLength = nil
    }
}

/// The `Location` of a response as it is handed on.
enum LocationField {
    /// Writes octets beyond ASCII as escapes, as RFC 9110 §10.2.2 wants them: some servers send an address as it is in
    /// UTF-8, which WebKitGTK 2.50 takes for Latin-1.
    static func escape(_ head: inout HTTPResponse) {
        let field = head.headerFields[fields: .location].first
        field?.withUnsafeBytesOfValue { octets in
            guard octets.contains(where: { $0 >= 0x80 }) else { return }
            head.headerFields[.location] = PercentEncoding.encoded(octets) { $0 < 0x80 }
        }
    }

    /// Whether a response leads to a `file:` URL (RFC 8089).
    ///
    /// A redirect to a scheme that is not HTTP's is a network error for every fetch (Fetch §4.4, step 4), and a
    /// navigation may not go from the network to a file either (HTML, "create navigation params by fetching").
    /// WebKitGTK 2.50 ends its web process when it meets one, so none is handed on.
    static func leadsToFile(_ head: HTTPResponse) -> Bool {
        guard head.status.kind == .redirection, head.status != .notModified else { return false }
        return head.headerFields[values: .location].contains { isFile($0) }
    }

    /// As the URL standard reads it: controls and spaces before it are left out, tabs and line ends everywhere.
    private static func isFile(_ location: String) -> Bool {
        let octets = location.utf8.drop { $0 <= 0x20 }.lazy.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        let letters = octets.prefix(5).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return letters.elementsEqual("file:".utf8)
    }
}
