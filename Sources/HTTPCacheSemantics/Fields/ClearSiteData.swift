import HTTPTypes

/// The `Clear-Site-Data` field, W3C Clear Site Data §3.1: which of its data a site asks to remove.
package enum ClearSiteData {
    /// Whether the field asks to remove stored responses of the site.
    package static func clearsCache(_ fields: HTTPFields) -> Bool { clears("cache", fields) }

    /// Whether it asks to remove the site's cookies: all of the registrable domain.
    package static func clearsCookies(_ fields: HTTPFields) -> Bool { clears("cookies", fields) }

    /// Whether it has the type, or `*`: "the same effect as specifying all types".
    ///
    /// Every line is read. A type is a case-sensitive quoted-string; `cache` without quotes is ignored, as are unknown
    /// types. The field counts only on a response from an authenticated URL (§4.2 step 1): see ``TrustworthyOrigin``.
    private static func clears(_ wanted: String, _ fields: HTTPFields) -> Bool {
        ListField.members(fields[values: .clearSiteData]).contains { member in
            var scanner = ByteScanner(member)
            guard let type = scanner.quotedString(), scanner.isAtEnd else { return false }
            return type == wanted || type == "*"
        }
    }
}
