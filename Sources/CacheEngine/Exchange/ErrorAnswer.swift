import HTTPCacheSemantics
import HTTPTypes

/// The cache's own answer when it can get no response.
package enum ErrorAnswer {
    /// The status: 504 when no answer came (RFC 9110 §15.6.5; RFC 9111 §5.2.1.7), 502 when an invalid one came, 400 for
    /// requests that can't be forwarded. For a client that has left, reports say 499, as logs usually do; it is never
    /// sent.
    package static func status(for code: EngineError.Code) -> HTTPResponse.Status {
        switch code {
        case .originUntrusted, .originBroken, .redirectRefused: .badGateway
        case .invalidRequest: .badRequest
        case .cancelled: HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request")
        default: .gatewayTimeout
        }
    }

    /// - Parameter request: The request for a document, where a person will see the answer: then it is a small HTML
    ///   page in that person's language, which reloads once the site answers. Else it is one line of text.
    package static func make(for error: EngineError, asPage request: HTTPRequest?) -> (
        head: HTTPResponse, body: [UInt8]
    ) {
        let status = status(for: error.code)
        // A form must not be sent again unasked, nor a server asked for a load that is to ask none (RFC 9111 §5.2.1.7).
        let comesBack =
            status == .gatewayTimeout && (request?.method == .get || request?.method == .head)
            && error.code != .notStored
        let text = request.map { page(error, .of($0.headerFields), comesBack: comesBack) } ?? error.description + "\n"
        let body = Array(text.utf8)
        var fields: HTTPFields = [
            .contentType: request != nil ? "text/html; charset=utf-8" : "text/plain; charset=utf-8",
            .cacheControl: "no-store", .contentLength: String(body.count),
        ]
        if request != nil {
            let policy = "default-src 'none'; style-src 'unsafe-inline'"
            fields[.contentSecurityPolicy] = comesBack ? PageThatComesBack.allowed(by: policy) : policy
        }
        return (HTTPResponse(status: status, headerFields: fields), body)
    }

    private static func page(_ error: EngineError, _ words: ErrorPageText, comesBack: Bool) -> String {
        let title =
            switch error.code {
            case .disconnected: words.isOffline
            case .originUntrusted: "This connection is not safe"
            case .originUnreachable: words.isSilent
            default: "The page could not be loaded"
            }
        // A link to nowhere else is one to the same address (RFC 3986 §4.4), also without scripts.
        let back = comesBack ? "<p><a href=\"\">\(words.tryAgain)</a></p>\(PageThatComesBack.element)" : ""
        return """
            <!doctype html><html lang="\(words.language)"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1"><title>\(title)</title>
            <style>:root{color-scheme:light dark}body{font:17px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;
            display:grid;place-items:center}main{max-width:30rem;padding:2rem}h1{font-size:1.4rem;margin:0 0 .5rem}
            p{margin:0 0 1rem;opacity:.75;overflow-wrap:anywhere}a{color:inherit}
            small{display:block;margin-top:1.5rem;opacity:.5}</style></head>
            <body><main><h1>\(title)</h1><p lang="en">\(escaped(error.description))</p>\(back)
            <small>Answered by Larder (\(error.code.name))</small></main></body></html>

            """
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
        return result
    }
}

/// The app's own page for a document when there is no network, or the origin can't be reached, and no stored response
/// may answer.
///
/// ```swift
/// let page = OfflinePage(Array(html.utf8))
/// configuration.offlinePage = { request in request.authority == "shop.example" ? page : nil }
/// ```
///
/// It is sent as it is, with the status 504 (RFC 9111 §5.2.1.7, RFC 9110 §15.6.5) and `no-store`, and it is never
/// stored. The web view shows it under the address that was requested, so its scripts run as that site's.
public struct OfflinePage: Hashable, Sendable {
    /// The content. Escape whatever you copy into it from the request.
    public var bytes: [UInt8]
    /// `text/html; charset=utf-8` unless set.
    public var contentType: String
    /// The `Content-Security-Policy` of the page, `nil` for none. The default allows styles, images and fonts inside
    /// the page, and neither scripts nor loads: scripts would have the rights of the site, and loads would fail anyway.
    /// A link to the same address is enough for "try again".
    public var contentSecurityPolicy: String?
    /// Whether an HTML page gets a script that reloads it once its site answers, asked every few seconds; on by
    /// default. The page hears of it by the event `larderback` before, and reloads by itself if it cancels that. The
    /// policy then allows this script and requests to the page's own origin.
    public var reloadsOnReturn = true

    /// The default of ``contentSecurityPolicy``.
    public static let defaultPolicy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'"

    /// A page with its own policy; the default one runs no scripts.
    public init(
        _ bytes: [UInt8], contentType: String = "text/html; charset=utf-8",
        contentSecurityPolicy: String? = OfflinePage.defaultPolicy
    ) {
        self.bytes = bytes
        self.contentType = contentType
        self.contentSecurityPolicy = contentSecurityPolicy
    }

    /// The page as an answer.
    var answer: (head: HTTPResponse, body: [UInt8]) {
        let reloads = reloadsOnReturn && contentType.lowercased().hasPrefix("text/html")
        let content = reloads ? bytes + PageThatComesBack.element.utf8 : bytes
        var fields: HTTPFields = [
            .contentType: contentType, .cacheControl: "no-store", .contentLength: String(content.count),
        ]
        fields[.contentSecurityPolicy] = contentSecurityPolicy.map {
            reloads ? PageThatComesBack.allowed(by: $0) : $0
        }
        return (HTTPResponse(status: .gatewayTimeout, headerFields: fields), content)
    }
}
