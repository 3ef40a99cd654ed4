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
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
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

/// The parts of an error page that bring the real page back: a script that asks every few seconds whether the site
/// answers again, and then reloads; where that shows the error page of the same address again within a minute, it waits
/// longer.
///
/// First the page gets the cancelable event `larderback`, for a page that would rather reload by itself. The script
/// runs with the rights of the site that was asked for, sends HEAD to the page's own address and nothing else, and is
/// allowed by its hash alone (CSP Level 3 §2.3.1).
enum PageThatComesBack {
    static let script = """
        (()=>{let wait=1000,timer;const key='larderback';try{const [last,time,at]=sessionStorage[key].split(' ');\
        if(at===location.href&&new Date-time<60000)wait=Math.min(2*last,30000)}catch{}\
        const later=()=>{timer=setTimeout(ask,wait);wait=Math.min(2*wait,30000)};\
        const ask=async()=>{clearTimeout(timer);try{const answer=await fetch(location.href,{method:'HEAD',\
        cache:'no-store',redirect:'manual'});\
        if(answer.status!==504){try{sessionStorage[key]=wait+' '+ +new Date+' '+location.href}catch{}\
        if(dispatchEvent(new CustomEvent(key,{cancelable:true})))location.reload();return}}catch{}later()};\
        addEventListener('online',ask);later()})()
        """
    /// SHA-256 of ``script``, which a test computes anew.
    static let hash = "'sha256-Oa3LpQk/yquDyCc7s6XvryNmEOKsSp6ir3tFYSc7GvU='"

    static var element: String { "<script>\(script)</script>" }

    /// A policy that also allows the script and its question.
    static func allowed(by policy: String) -> String {
        adding(hash, to: "script-src", adding("'self'", to: "connect-src", policy))
    }

    private static func adding(_ source: String, to name: String, _ policy: String) -> String {
        var directives = policy.split(separator: ";").map { String($0.drop { $0 == " " }) }
        if let place = directives.firstIndex(where: { $0 == name || $0.hasPrefix(name + " ") }) {
            directives[place] += " " + source
        } else {
            directives.append("\(name) \(source)")
        }
        return directives.joined(separator: "; ")
    }
}

/// The words of error pages in the languages of their readers.
struct ErrorPageText {
    let language: String
    let isOffline: String
    let isSilent: String
    let tryAgain: String

    /// The first language of `Accept-Language` (RFC 9110 §12.5.4) that there is; English if there is none. Browsers
    /// list them in the order of preference.
    static func of(_ request: HTTPFields) -> ErrorPageText {
        let ranges = (request[.acceptLanguage] ?? "").split(separator: ",").prefix(32)
        for range in ranges {
            let language = range.drop { $0 == " " }.prefix { $0.isLetter }.lowercased()
            if let found = all.first(where: { $0.language == language }) { return found }
        }
        return all[0]
    }

    private init(_ language: String, _ isOffline: String, _ isSilent: String, _ tryAgain: String) {
        (self.language, self.isOffline, self.isSilent, self.tryAgain) = (language, isOffline, isSilent, tryAgain)
    }

    private static let all = [
        Self("en", "You are offline", "The site does not answer", "Try again"),
        Self("de", "Sie sind offline", "Die Seite antwortet nicht", "Erneut versuchen"),
        Self("fr", "Vous êtes hors ligne", "Le site ne répond pas", "Réessayer"),
        Self("es", "No tienes conexión", "El sitio no responde", "Reintentar"),
        Self("it", "Sei offline", "Il sito non risponde", "Riprova"),
        Self("pt", "Você está offline", "O site não responde", "Tentar novamente"),
        Self("nl", "Je bent offline", "De site reageert niet", "Opnieuw proberen"),
        Self("pl", "Jesteś offline", "Strona nie odpowiada", "Spróbuj ponownie"),
        Self("tr", "Çevrimdışısınız", "Site yanıt vermiyor", "Tekrar dene"),
        Self("ru", "Нет подключения к сети", "Сайт не отвечает", "Повторить"),
        Self("ja", "オフラインです", "サイトが応答しません", "再試行"),
        Self("ko", "오프라인 상태입니다", "사이트가 응답하지 않습니다", "다시 시도"),
        Self("zh", "您已离线", "网站没有响应", "重试"),
    ]
}
