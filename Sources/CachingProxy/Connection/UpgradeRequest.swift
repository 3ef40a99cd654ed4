#if Proxy
import HTTPCacheSemantics
import HTTPTypes

/// A request to switch protocols as it goes to the origin, RFC 9110 §7.8.
struct UpgradeRequest: Sendable {
    let head: RequestHead
    /// For this request and for whatever the origin answers.
    let via: HTTPField

    /// Only end-to-end fields pass, as in every request; `Connection` and `Upgrade` are said anew for our connection.
    init(_ received: RequestHead, _ target: RequestTarget, via: HTTPField) {
        var rest = received.fields
        rest[.proxyAuthorization] = nil
        HopByHopFields.remove(from: &rest)
        var fields: HTTPFields = [.connection: "Upgrade"]
        fields[.upgrade] = Self.webSocket
        fields.append(contentsOf: rest)
        fields.append(via)
        head = RequestHead(method: received.method, target: target.path, host: target.authority, fields: fields)
        self.via = via
    }

    /// The only protocol that is switched to, RFC 6455 §4.1.
    static let webSocket = "websocket"

    /// Whether a request asks for a protocol that is passed on. "A server MAY ignore a received Upgrade header field"; we
    /// ignore all but WebSocket, asked for by GET: the bytes of another protocol, above all of `h2c` (which RFC 9113 §3.1
    /// has made obsolete), could be requests that pass the cache and its checks unseen.
    ///
    /// A request with `only-if-cached` (RFC 9111 §5.2.1.7) must not reach the origin this way either.
    static func isWanted(by head: RequestHead, _ framing: MessageFraming) -> Bool {
        // "A server MUST ignore an Upgrade header field that is received in an HTTP/1.0 request."
        guard ConnectionOptions(head.fields).upgrades, !head.isHTTP10, framing.statedLength == 0 else { return false }
        return head.method == .get && protocols(in: head.fields).contains(webSocket)
            && !CacheControl(head.fields).has("only-if-cached")
    }

    /// Whether an answer switches to this protocol and to no other.
    static func names(only name: String, in fields: HTTPFields) -> Bool {
        protocols(in: fields) == [name]
    }

    /// In lower case: "Recipients SHOULD use case-insensitive comparison".
    private static func protocols(in fields: HTTPFields) -> [String] {
        fields[values: .upgrade].flatMap { $0.split(separator: ",") }.map { String($0).trimmingWhitespace.lowercased() }
    }
}
#endif
