import HTTPTypes

/// Common field names, found by their bytes: creating a name from text checks and copies it twice.
enum KnownFieldNames {
    private static let all = [
        "Accept-Ranges", "Access-Control-Allow-Origin", "Access-Control-Allow-Credentials",
        "Access-Control-Allow-Headers", "Access-Control-Allow-Methods", "Access-Control-Expose-Headers",
        "Access-Control-Max-Age", "Age", "Alt-Svc", "Cache-Control", "Cache-Status", "CDN-Cache-Control",
        "Clear-Site-Data", "Connection", "Content-Disposition", "Content-Encoding", "Content-Language",
        "Content-Length", "Content-Location", "Content-Range", "Content-Security-Policy", "Content-Type",
        "Cross-Origin-Embedder-Policy", "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Date", "ETag",
        "Expires", "Last-Modified", "Link", "Location", "NEL", "No-Vary-Search", "Origin-Agent-Cluster",
        "Permissions-Policy", "Pragma", "Priority", "Referrer-Policy", "Report-To", "Reporting-Endpoints", "Server",
        "Server-Timing", "Set-Cookie", "SourceMap", "Strict-Transport-Security", "Surrogate-Control",
        "Timing-Allow-Origin", "Vary", "Via", "X-Cache", "X-Content-Type-Options", "X-DNS-Prefetch-Control",
        "X-Frame-Options", "X-Powered-By", "X-Request-Id", "X-XSS-Protection",
    ]

    /// The names, as above and in lower case, by ``place(of:)``.
    private static let places: [[(bytes: [UInt8], name: HTTPField.Name)]] = {
        var table = [[(bytes: [UInt8], name: HTTPField.Name)]](repeating: [], count: 1_024)
        for text in all + all.map({ $0.lowercased() }) {
            guard let name = HTTPField.Name(text) else { continue }
            let bytes = Array(text.utf8)
            table[bytes.withUnsafeBytes { place(of: $0) }].append((bytes, name))
        }
        return table
    }()

    /// A hash of the length and four of the bytes, which distinguishes nearly all of the names.
    private static func place(of bytes: UnsafeRawBufferPointer) -> Int {
        guard let first = bytes.first, let last = bytes.last else { return 0 }
        let (half, third) = (bytes[bytes.count / 2], bytes[bytes.count / 3])
        var sum = UInt32(first) | UInt32(last) << 8 | UInt32(half) << 16 | UInt32(third) << 24
        sum = (sum ^ UInt32(truncatingIfNeeded: bytes.count)) &* 0x9E37_79B1
        return Int(sum >> 22)
    }

    /// - Returns: The name with exactly these bytes; `nil` if it is not among them.
    static func name(_ bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
        for known in places[place(of: bytes)] where isEqual(known.bytes, bytes) { return known.name }
        return nil
    }

    private static func isEqual(_ known: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard known.count == bytes.count else { return false }
        for index in known.indices where known[index] != bytes[index] { return false }
        return true
    }
}
