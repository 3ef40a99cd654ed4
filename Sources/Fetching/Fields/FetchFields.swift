import HTTPCacheSemantics
import HTTPTypes

/// Reading field values as the Fetch standard does, octet by octet.
package enum FetchText {
    /// The members of a list of tokens, trimmed, without empty members.
    ///
    /// - Returns: `nil` if a member is no token: such a field is unusable ("extract header list values", Fetch §2.2.2).
    package static func tokens(_ name: HTTPField.Name, in fields: HTTPFields) -> [String]? {
        var found: [String] = []
        for member in fields[values: name].flatMap({ $0.utf8.split(separator: 0x2C) }) {
            let text = ListField.trimmed(Substring(member))
            if text.isEmpty { continue }
            guard HTTPField.Name(text) != nil else { return nil }
            found.append(text)
        }
        return found
    }

    /// ASCII letters only: Unicode would turn the Kelvin sign into `k`.
    package static func lowercased(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
    }

    /// The value of an `attribute=value` after a `;`, as in media types (RFC 9110 §5.6.6), without its quotes; `nil`
    /// without one that can be read.
    ///
    /// - Parameter attribute: In lower case.
    package static func parameter(_ attribute: String, of value: String) -> String? {
        var scanner = ByteScanner(value)
        _ = scanner.text { $0 != 0x3B }
        while scanner.take(";") {
            let name = scanner.text { $0 != 0x3D && $0 != 0x3B }
            guard scanner.take("=") else { continue }
            scanner.skipWhitespace()
            let quoted = scanner.quotedString()
            // A quote without an end quotes nothing.
            _ = scanner.take("\"")
            let value = quoted ?? scanner.text { $0 != 0x3B }
            if lowercased(ListField.trimmed(name)) == attribute { return ListField.trimmed(value) }
            _ = scanner.text { $0 != 0x3B }
        }
        return nil
    }
}

/// Field names of the Fetch, Fetch Metadata and Referrer Policy standards that `HTTPTypes` has no constant for.
package enum FetchField {
    package static let link = HTTPField.Name(constant: "Link")
    package static let priority = HTTPField.Name(constant: "Priority")
    package static let policyReportOnly = HTTPField.Name(constant: "Content-Security-Policy-Report-Only")
    package static let referrerPolicy = HTTPField.Name(constant: "Referrer-Policy")
    package static let refresh = HTTPField.Name(constant: "Refresh")
    package static let secFetchMode = HTTPField.Name(constant: "Sec-Fetch-Mode")
    package static let secFetchSite = HTTPField.Name(constant: "Sec-Fetch-Site")
    package static let secFetchUser = HTTPField.Name(constant: "Sec-Fetch-User")
    package static let secPurpose = HTTPField.Name(constant: "Sec-Purpose")
    package static let upgradeInsecureRequests = HTTPField.Name(constant: "Upgrade-Insecure-Requests")
    package static let xFrameOptions = HTTPField.Name(constant: "X-Frame-Options")

    /// "A request-body-header name" of Fetch §2.2.2, and the framing that belongs to the same body.
    package static let ofRequestBody: [HTTPField.Name] = [
        .contentEncoding, .contentLanguage, .contentLocation, .contentType, .contentLength, .transferEncoding,
    ]
}

/// Request fields that a script may not set, Fetch §2.2.2 "forbidden request-header".
package enum ForbiddenRequestFields {
    private static let names: Set<String> = [
        "accept-charset", "accept-encoding", "access-control-request-headers", "access-control-request-method",
        "access-control-request-private-network", "connection", "content-length", "cookie", "cookie2", "date", "dnt",
        "expect", "host", "keep-alive", "origin", "referer", "set-cookie", "te", "trailer", "transfer-encoding",
        "upgrade", "via",
    ]

    /// Whether the web view's engine, and no script, set this field.
    package static func contains(_ field: HTTPField) -> Bool {
        let name = field.name.canonicalName
        if names.contains(name) || name.hasPrefix("proxy-") || name.hasPrefix("sec-") { return true }
        // These carry a method to servers that look for one there.
        guard ["x-http-method", "x-http-method-override", "x-method-override"].contains(name) else { return false }
        return field.value.split(separator: ",").contains { method in
            ["connect", "trace", "track"].contains(FetchText.lowercased(ListField.trimmed(method)))
        }
    }
}

/// The field that a web view leaves to its network (RFC 9110 §12.5.4).
package enum AcceptLanguage {
    /// The field for a user's languages, most wanted first, such as `de-CH,de;q=0.9,en;q=0.8`; `*` without any. What is
    /// no language tag is left out, and all but the first six.
    package static func field(_ languages: [String]) -> String {
        let tags = languages.filter { tag in
            !tag.isEmpty && tag.utf8.allSatisfy { $0 == 0x2D || ByteScanner.isDigit($0) || ByteScanner.isLetter($0) }
        }
        let listed = tags.prefix(6).enumerated().map { index, tag in
            index == 0 ? tag : "\(tag);q=0.\(10 - index)"
        }
        return listed.isEmpty ? "*" : listed.joined(separator: ",")
    }
}
