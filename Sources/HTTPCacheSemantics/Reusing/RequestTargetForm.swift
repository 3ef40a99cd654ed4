import HTTPTypes

/// The four forms of a request target, RFC 9112 §3.2.
package enum RequestTargetForm: Hashable, Sendable {
    /// §3.2.1: path and query, as clients send them to an origin server.
    case origin(path: String)
    /// §3.2.2: a whole URI, as clients send it to a proxy. Without userinfo and fragment, the scheme in lower case.
    case absolute(scheme: String, authority: String, path: String)
    /// §3.2.3: host and port, only with `CONNECT`. The port is never `nil`.
    case authority(Authority)
    /// §3.2.4: the server itself, only with `OPTIONS`.
    case asterisk

    /// Reads the target of a request line.
    ///
    /// A fragment, which no form allows, is removed.
    ///
    /// - Parameters:
    ///   - text: The text between the method and the version.
    ///   - method: Decides which forms are allowed.
    /// - Returns: `nil` if the text has none of the forms of this method, or an invalid authority: "Recipients of an
    ///   invalid request-line SHOULD respond with either a 400 (Bad Request) error or a 301" (§3.2).
    package init?(_ text: String, method: HTTPRequest.Method) {
        // "No whitespace is allowed in the request-target", and a URI contains no control characters.
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        if method == .connect {
            // "A server MUST reject a CONNECT request that targets an empty or invalid port number" (RFC 9110 §9.3.6).
            guard let authority = Authority(text), authority.port != nil else { return nil }
            self = .authority(authority)
        } else if text.utf8.first == 0x2F {
            self = .origin(path: String(Substring(text.utf8.prefix { $0 != 0x23 })))
        } else if method == .options, text == "*" {
            self = .asterisk
        } else {
            guard let parts = TargetURI.split(text), Authority(parts.authority) != nil else { return nil }
            self = .absolute(scheme: parts.scheme, authority: parts.authority, path: parts.path)
        }
    }
}
