#if Proxy
import NIOHTTP1

/// Why the proxy itself refuses a request, with the answer that says so.
enum RequestRefusal: Error, Hashable {
    case malformed
    case notForAProxy
    case credentialsNeeded
    case misdirected
    case loop

    var status: HTTPResponseStatus {
        switch self {
        case .malformed, .notForAProxy: .badRequest
        case .credentialsNeeded: .proxyAuthenticationRequired
        case .misdirected: .misdirectedRequest
        case .loop: .loopDetected
        }
    }

    var message: String {
        switch self {
        case .malformed: "The request's target can't be understood."
        case .notForAProxy: "This is a caching proxy; set it as the HTTP proxy instead of opening its address."
        case .credentialsNeeded: "This proxy asks for the user name and password that its start printed."
        case .misdirected: "The request is for another host than its connection."
        case .loop: "The request has come back to this proxy; its target leads here again."
        }
    }
}
#endif
