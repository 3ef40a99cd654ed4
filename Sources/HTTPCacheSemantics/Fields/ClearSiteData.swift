import HTTPTypes

/// The `Clear-Site-Data` field, W3C Clear Site Data §3.1: which of its data a site asks to remove.
package enum ClearSiteData {
    /// Whether the field asks to remove stored responses of the site: its types `cache` and `*`, "the same effect as
    /// specifying all types".
    ///
    /// Every line is read. A type is a case-sensitive quoted-string; `cache` without quotes is ignored, as are unknown
    /// types. The field counts only on a response from an authenticated URL (§4.2 step 1): see ``TrustworthyOrigin``.
    package static func clearsCache(_ fields: HTTPFields) -> Bool {
        ListField.members(fields[values: .clearSiteData]).contains { member in
            var scanner = ByteScanner(member)
            guard let type = scanner.quotedString(), scanner.isAtEnd else { return false }
            return type == "cache" || type == "*"
        }
    }
}
