import HTTPTypes

/// The `Clear-Site-Data` field, W3C Clear Site Data §3.1: what a site asks to forget about it.
///
/// It counts only on a response from an authenticated URL (§4.2 step 1): see ``TrustworthyOrigin``.
public struct ClearSiteData: Hashable, Sendable {
    /// A kind of data, spelt as in the field.
    public enum DataType: String, Hashable, Sendable, CaseIterable {
        /// "locally cached data associated with the origin": stored responses are that.
        case cache
        /// Cookies and credentials, which no cache holds.
        case cookies
        /// Databases, service workers and their like.
        case storage
        /// Pages of the origin that are open.
        case executionContexts
        /// What the site said in `Accept-CH`.
        case clientHints
        /// "the same effect as specifying all types", those of later versions included.
        case everything = "*"
    }

    /// What the field names. Unknown types are ignored, as §3.1 demands.
    public var types: Set<DataType>

    /// - Parameter types: What the field names.
    public init(_ types: Set<DataType> = []) {
        self.types = types
    }

    /// Reads every line of the field.
    ///
    /// A type is a quoted-string and compares with case; `cache` without quotes names nothing.
    public init(_ fields: HTTPFields) {
        let members = ListField.members(fields[values: .clearSiteData])
        types = Set(members.compactMap { Self.type($0) })
    }

    /// Whether stored responses of the site are to be removed.
    public var clearsCache: Bool { types.contains(.cache) || types.contains(.everything) }

    private static func type(_ member: String) -> DataType? {
        var scanner = ByteScanner(member)
        guard let name = scanner.quotedString(), scanner.isAtEnd else { return nil }
        return DataType(rawValue: name)
    }
}
