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
        fields[values: .upgrade] = received.fields[values: .upgrade]
        fields.append(contentsOf: rest)
        fields.append(via)
        head = RequestHead(method: received.method, target: target.path, host: target.authority, fields: fields)
        self.via = via
    }

    /// Whether a request asks for a protocol that is passed on. "A server MAY ignore a received Upgrade header field";
    /// we ignore `h2c`, which would carry requests past the cache and past every check of theirs, and which RFC 9113
    /// §3.1 has given up.
    static func isWanted(by head: RequestHead, _ framing: MessageFraming) -> Bool {
        // "A server MUST ignore an Upgrade header field that is received in an HTTP/1.0 request."
        guard ConnectionOptions(head.fields).upgrades, !head.isHTTP10, framing.statedLength == 0 else { return false }
        return head.fields[values: .upgrade].flatMap { $0.split(separator: ",") }
            .contains { !["h2c", "h2", ""].contains(String($0).trimmingWhitespace.lowercased()) }
    }
}
#endif
