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

    /// - Parameters:
    ///   - asPage: Whether a person will see the answer: then it is a small HTML page, else one line of text.
    package static func make(for error: EngineError, asPage: Bool) -> (head: HTTPResponse, body: [UInt8]) {
        let status = status(for: error.code)
        let text = asPage ? page(error) : error.message + "\n"
        let body = Array(text.utf8)
        var fields: HTTPFields = [
            .contentType: asPage ? "text/html; charset=utf-8" : "text/plain; charset=utf-8",
            .cacheControl: "no-store", .contentLength: String(body.count),
        ]
        if asPage { fields[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'" }
        return (HTTPResponse(status: status, headerFields: fields), body)
    }

    private static func page(_ error: EngineError) -> String {
        let title =
            switch error.code {
            case .disconnected: "You are offline"
            case .originUntrusted: "This connection is not safe"
            case .originUnreachable: "The site does not answer"
            default: "The page could not be loaded"
            }
        return """
            <!doctype html><html lang="en"><head><meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1"><title>\(title)</title>
            <style>:root{color-scheme:light dark}body{font:17px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;
            display:grid;place-items:center}main{max-width:30rem;padding:2rem}h1{font-size:1.4rem;margin:0 0 .5rem}
            p{margin:0;opacity:.75;overflow-wrap:anywhere}small{display:block;margin-top:1.5rem;opacity:.5}</style></head>
            <body><main><h1>\(title)</h1><p>\(escaped(error.message))</p>
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
