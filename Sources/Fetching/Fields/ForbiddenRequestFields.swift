import HTTPTypes

/// Request fields that a script may not set, Fetch §2.2.2 "forbidden request-header".
public enum ForbiddenRequestFields {
    private static let names: Set<String> = [
        "accept-charset", "accept-encoding", "access-control-request-headers", "access-control-request-method",
        "access-control-request-private-network", "connection", "content-length", "cookie", "cookie2", "date", "dnt",
        "expect", "host", "keep-alive", "origin", "referer", "set-cookie", "te", "trailer", "transfer-encoding",
        "upgrade", "via",
    ]

    /// Whether the web view's engine, and no script, set this field.
    public static func contains(_ field: HTTPField) -> Bool {
        let name = field.name.canonicalName
        if names.contains(name) || name.hasPrefix("proxy-") || name.hasPrefix("sec-") { return true }
        // These carry a method to servers that look for one there.
        guard ["x-http-method", "x-http-method-override", "x-method-override"].contains(name) else { return false }
        return field.value.split(separator: ",").contains { method in
            ["connect", "trace", "track"].contains(FetchText.lowercased(FetchText.trimmed(String(method))))
        }
    }

    /// The fields that a script may set. For requests that a script hands over: what it says about origins is no
    /// evidence.
    public static func removed(from fields: HTTPFields) -> HTTPFields {
        HTTPFields(fields.filter { !contains($0) })
    }
}
