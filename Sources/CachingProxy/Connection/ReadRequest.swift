#if Proxy
import CacheEngine
import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// A request without content, read and checked, with what it means to the engine.
final class ReadRequest: Sendable {
    let message: ClientRequest
    let prepared: PreparedRequest

    init(_ message: ClientRequest, _ prepared: PreparedRequest) {
        (self.message, self.prepared) = (message, prepared)
    }
}

/// A request as it came from a client, and where it is meant to go.
struct ClientRequest: Sendable {
    let head: RequestHead
    let framing: MessageFraming
    let target: RequestTarget

    /// The request as the engine sees it: end-to-end fields only, with our `Via`.
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

    /// What the client says; over plain http browsers say nothing (Fetch Metadata §2 wants a trustworthy URL), and a
    /// request that asks for HTML first is taken for a page.
    var destination: Destination {
        let stated = Destination(secFetchDest: head.fields.combined(.secFetchDest))
        guard stated == .unknown, head.method == .get else { return stated }
        return head.fields.combined(.accept)?.hasPrefix("text/html") == true ? .document : stated
    }
}
#endif
