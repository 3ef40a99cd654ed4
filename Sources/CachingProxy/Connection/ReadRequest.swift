#if Proxy
import CacheEngine
import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// A request without content, parsed and checked, and prepared by the engine.
final class ReadRequest: Sendable {
    let message: ClientRequest
    let prepared: PreparedRequest
    /// Whether the client wants the connection to be closed after the answer.
    let closes: Bool

    init(_ message: ClientRequest, _ prepared: PreparedRequest) {
        (self.message, self.prepared) = (message, prepared)
        closes = !message.head.persists
    }
}

/// A request as a client sent it, and its target.
struct ClientRequest: Sendable {
    let head: RequestHead
    let framing: MessageFraming
    let target: RequestTarget

    /// The request as the engine sees it: end-to-end fields only, with the proxy's `Via`.
    func presented(by identity: ProxyServer.Identity) -> HTTPRequest {
        var fields = head.fields
        HopByHopFields.remove(from: &fields)
        if head.fields.contains(where: { $0.name == .proxyAuthorization }) { fields[.proxyAuthorization] = nil }
        // RFC 9110 §7.6.3: the protocol is the one in which the message was received.
        fields.append(head.isHTTP10 ? identity.viaHTTP10 : identity.via)
        return HTTPRequest(
            method: head.method, scheme: target.scheme, authority: target.authority, path: target.path,
            headerFields: fields)
    }

    /// The destination that the client states. Over plain http browsers state none (Fetch Metadata §2 wants a
    /// trustworthy URL); then a request that prefers HTML counts as a page.
    var destination: Destination {
        let stated = Destination(secFetchDest: head.fields.combined(.secFetchDest))
        guard stated == .unknown, head.method == .get else { return stated }
        return head.fields.combined(.accept)?.hasPrefix("text/html") == true ? .document : stated
    }
}
#endif
