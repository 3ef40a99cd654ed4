import HTTPTypes

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
        cache:'no-store',redirect:'manual'});if(answer.status!==504){try{sessionStorage[key]=wait+' '+ +new Date+' '+location.href}catch{}\
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
