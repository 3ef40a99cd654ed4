#if Proxy
import HTTPTypes
import NIOCore

/// Why the proxy itself refuses a request, with the answer that says so.
enum RequestRefusal: Error, Hashable {
    case malformed
    case notForAProxy
    case credentialsNeeded
    case misdirected
    /// A reverse proxy was asked under a name that is not one of its own.
    case unknownName
    /// The target is this very proxy.
    case loop
    /// The head was not complete in time.
    case late
    /// It would pass the cache unread, see ``ProxyConfiguration/refusesUncached``.
    case uncached
    case notHTTP(MessageFault)

    init(_ fault: MessageFault) {
        self = .notHTTP(fault)
    }

    var status: HTTPResponse.Status {
        switch self {
        case .malformed, .notForAProxy: .badRequest
        case .credentialsNeeded: .proxyAuthenticationRequired
        case .misdirected, .unknownName: .misdirectedRequest
        case .late: .requestTimeout
        case .uncached: .forbidden
        case .loop: .init(code: 508, reasonPhrase: "Loop Detected")
        case .notHTTP(let fault):
            switch fault.code {
            // RFC 9112 §3; RFC 6585 §5; RFC 9110 §15.6.6; RFC 9112 §6.1.
            case .targetTooLong: .uriTooLong
            case .headTooLarge: .requestHeaderFieldsTooLarge
            case .versionNotSupported: .httpVersionNotSupported
            case .codingNotUnderstood: .notImplemented
            default: .badRequest
            }
        }
    }

    var message: String {
        switch self {
        case .malformed: "The request's target can't be understood."
        case .notForAProxy: "This is a caching proxy; set it as the HTTP proxy instead of opening its address."
        case .credentialsNeeded: "This proxy asks for the user name and password that were printed when it started."
        case .misdirected: "The request is for another host or scheme than its connection."
        case .unknownName:
            "This reverse proxy does not answer to the name in the request; allow the name with --reverse-host."
        case .late: "The request's head was not complete in time."
        case .uncached: "This proxy passes on nothing that it can't read."
        case .loop: "The request leads back to this proxy; ask for another host or port."
        case .notHTTP(let fault): "The request can't be understood. \(fault.message)"
        }
    }

    /// The whole answer.
    var answer: (head: HTTPResponse, content: ByteBuffer) {
        var fields: HTTPFields = [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"]
        if self == .credentialsNeeded { fields[.proxyAuthenticate] = "Basic realm=\"Larder\"" }
        return (HTTPResponse(status: status, headerFields: fields), ByteBuffer(string: message + "\n"))
    }
}
#endif
