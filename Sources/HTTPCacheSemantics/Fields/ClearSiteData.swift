import HTTPTypes

/// The `Clear-Site-Data` field, W3C Clear Site Data §3.1: which of its data a site asks to remove.
///
/// The field counts only on a response from an authenticated URL (§4.2 step 1): see ``TrustworthyOrigin``.
package struct ClearSiteData: Hashable, Sendable {
    /// A kind of data, spelt as in the field.
    package enum DataType: String, Hashable, Sendable, CaseIterable {
        /// "locally cached data associated with the origin", such as stored responses.
        case cache
        /// Cookies and credentials; a cache holds none.
        case cookies
        /// Databases, service workers and similar storage.
        case storage
        /// Open pages of the origin.
        case executionContexts
        /// The client hints that the site requested with `Accept-CH`.
        case clientHints
        /// "the same effect as specifying all types", including those of later versions.
        case everything = "*"
    }

    /// The types that the field names. Unknown types are ignored, as §3.1 demands.
    package var types: Set<DataType>

    /// - Parameter types: The types that the field names.
    package init(_ types: Set<DataType> = []) {
        self.types = types
    }

    /// Reads every line of the field.
    ///
    /// A type is a case-sensitive quoted-string; `cache` without quotes is ignored.
    package init(_ fields: HTTPFields) {
        let members = ListField.members(fields[values: .clearSiteData])
        types = Set(members.compactMap { Self.type($0) })
    }

    /// Whether the field asks to remove stored responses of the site.
    package var clearsCache: Bool { types.contains(.cache) || types.contains(.everything) }

    private static func type(_ member: String) -> DataType? {
        var scanner = ByteScanner(member)
        guard let name = scanner.quotedString(), scanner.isAtEnd else { return nil }
        return DataType(rawValue: name)
    }
}
