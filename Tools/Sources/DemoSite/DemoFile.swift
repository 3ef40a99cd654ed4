import NIOHTTP1

/// One response of the sample site that is known before it is asked for: a page, an asset or a redirect.
package struct DemoFile: Hashable, Sendable {
    /// Name of the host that serves it, without port.
    package let host: String
    /// Absolute path, without query.
    package let path: String
    /// Status of an unconditional answer: 200, 301 or 302.
    package let status: Int
    /// `Content-Type`.
    package let contentType: String
    /// The representation, in no content coding.
    package let bytes: [UInt8]
    /// SHA-256 of ``bytes``, 64 hexadecimal digits.
    package let sha256: String
    /// Strong entity tag with its quotes, from ``sha256``; `nil` when the file is to have none.
    package let entityTag: String?
    /// `Last-Modified` as an IMF-fixdate; `nil` when the file is to have none.
    package let lastModified: String?
    /// `Cache-Control`; `nil` leaves freshness to the heuristic of RFC 9111 §4.2.2.
    package let cacheControl: String?
    /// Other fields: `Location`, `Vary`, `Access-Control-Allow-Origin`.
    package let otherFields: [Field]
    /// Name in the source, such as `home.js`, when the path carries a content hash; else `nil`.
    package let chunk: String?

    /// A field line.
    package struct Field: Hashable, Sendable {
        /// Field name.
        package let name: String
        /// Field value.
        package let value: String
    }

    /// Describes a file; entity tag and digest follow from the bytes.
    init(
        host: String, path: String, status: Int = 200, contentType: String, bytes: [UInt8], hasEntityTag: Bool = true,
        lastModified: String? = nil, cacheControl: String?, otherFields: [Field] = [], chunk: String? = nil
    ) {
        self.host = host
        self.path = path
        self.status = status
        self.contentType = contentType
        self.bytes = bytes
        sha256 = HexDigest.sha256(bytes)
        entityTag = hasEntityTag ? "\"\(sha256.prefix(32))\"" : nil
        self.lastModified = lastModified
        self.cacheControl = cacheControl
        self.otherFields = otherFields
        self.chunk = chunk
    }

    /// A file that is not part of the shop, such as a manifest.
    package init(host: String, path: String, contentType: String, bytes: [UInt8], cacheControl: String) {
        self.init(
            host: host, path: path, status: 200, contentType: contentType, bytes: bytes, cacheControl: cacheControl)
    }

    /// The fields of every 200, 206, 304 or redirect for this file, save `Date`, `Content-Length` and `Content-Range`.
    package var fields: HTTPHeaders {
        var fields = HTTPHeaders()
        fields.add(name: "Content-Type", value: contentType)
        if let cacheControl { fields.add(name: "Cache-Control", value: cacheControl) }
        if let entityTag { fields.add(name: "ETag", value: entityTag) }
        if let lastModified { fields.add(name: "Last-Modified", value: lastModified) }
        for field in otherFields { fields.add(name: field.name, value: field.value) }
        return fields
    }
}
