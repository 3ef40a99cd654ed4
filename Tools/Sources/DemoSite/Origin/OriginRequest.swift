import NIOHTTP1

/// A request's head, its target taken apart.
struct OriginRequest {
    let method: HTTPMethod
    /// Lower case, without port.
    let host: String
    /// Without query.
    let path: String
    /// With query.
    let target: String
    let isKeptAlive: Bool
    private let fields: HTTPHeaders

    /// Takes a head apart; understands origin-form and absolute-form targets (RFC 9112 §3.2).
    init(_ head: HTTPRequestHead) {
        var target = Substring(head.uri)
        var authority = Substring(head.headers.first(name: "Host") ?? "")
        if !target.hasPrefix("/"), let scheme = target.firstRange(of: "://") {
            let rest = target[scheme.upperBound...]
            authority = rest.prefix { $0 != "/" && $0 != "?" }
            target = rest.dropFirst(authority.count)
            if !target.hasPrefix("/") { target = "/" + target }
        }
        method = head.method
        host = authority.prefix { $0 != ":" }.lowercased()
        path = String(target.prefix { $0 != "?" })
        self.target = String(target)
        isKeptAlive = head.isKeepAlive
        fields = head.headers
    }

    /// A field's value, several lines joined as RFC 9110 §5.3 allows; `nil` when absent.
    func field(_ name: String) -> String? {
        let lines = fields[name]
        return lines.isEmpty ? nil : lines.joined(separator: ", ")
    }

    var isConditional: Bool { fields.contains(name: "If-None-Match") || fields.contains(name: "If-Modified-Since") }
}
