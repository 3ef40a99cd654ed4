import HTTPCacheSemantics
import HTTPTypes

/// The target of a request line, RFC 9112 §3.2: a line with a method, a space and the target.
enum RequestTargetTarget: FuzzTarget {
    static let name = "request-target"
    static let shapes = [
        HostileShape("/", after: "GET "), HostileShape("a", after: "GET http://"),
        HostileShape("@", after: "GET http://"), HostileShape("9", after: "CONNECT a:"),
        HostileShape("[", after: "CONNECT "), HostileShape("*", after: "OPTIONS "), HostileShape(" "),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let words = input.bytes.split(separator: 0x20, maxSplits: 1, omittingEmptySubsequences: false)
        guard words.count == 2, let method = HTTPRequest.Method(String(decoding: words[0], as: UTF8.self)) else {
            return
        }
        let text = String(decoding: words[1], as: UTF8.self)
        guard let form = RequestTargetForm(text, method: method) else { return }
        try claim(RequestTargetForm(Self.text(form), method: method) == form, "printed and read again", [text, form])
        let isClean = Self.text(form).utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != 0x23 }
        try claim(isClean, "no white space, no fragment", [text, form])
        switch form {
        case .origin(let path):
            try claim(path.utf8.first == 0x2F && method != .connect, "§3.2.1", [text])
        case .absolute(let scheme, let authority, let path):
            try claim(!scheme.isEmpty && path.utf8.first == 0x2F && method != .connect, "§3.2.2", [text])
            try claim(Authority(authority) != nil, "an absolute form has a host", [text, authority])
        case .authority(let authority):
            try claim(method == .connect && authority.port != nil, "§3.2.3", [text])
        case .asterisk:
            try claim(method == .options && text == "*", "§3.2.4", [text])
        }
    }

    private static func text(_ form: RequestTargetForm) -> String {
        switch form {
        case .origin(let path): path
        case .absolute(let scheme, let authority, let path): scheme + "://" + authority + path
        case .authority(let authority): authority.description
        case .asterisk: "*"
        }
    }
}
