import HTTPTypes

/// Names that most responses have, found by their bytes: making a name from text checks and copies it twice.
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

    /// By length: written as above, and in lower case.
    private static let byLength: [[(bytes: [UInt8], name: HTTPField.Name)]] = {
        var table: [[(bytes: [UInt8], name: HTTPField.Name)]] = []
        for text in all + all.map({ $0.lowercased() }) {
            guard let name = HTTPField.Name(text) else { continue }
            let bytes = Array(text.utf8)
            while table.count <= bytes.count { table.append([]) }
            table[bytes.count].append((bytes, name))
        }
        return table
    }()

    /// - Returns: The name that is written exactly so; `nil` when it is none of them.
    static func name(_ bytes: UnsafeRawBufferPointer) -> HTTPField.Name? {
        guard bytes.count < byLength.count else { return nil }
        return byLength[bytes.count].first { $0.bytes.elementsEqual(bytes) }?.name
    }
}
