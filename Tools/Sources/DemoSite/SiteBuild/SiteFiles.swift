/// The files beside the pages and the built chunks: pictures, film, vector art, theme and redirects.
struct SiteFiles {
    let hosts: DemoHosts

    /// When the files without a hash were last touched, long before any demo; a heuristic freshness lifetime
    /// (RFC 9111 §4.2.2) taken from it is long as well.
    private static let lastModified = "Mon, 03 Mar 2025 09:00:00 GMT"
    private static let crossOrigin = [DemoFile.Field(name: "Access-Control-Allow-Origin", value: "*")]

    /// All of them.
    func assets() -> [DemoFile] {
        pictures + film + vectorArt + redirects + [
            DemoFile(
                host: hosts.shop, path: "/static/theme.css", contentType: "text/css; charset=utf-8",
                bytes: Array(Styles.theme.utf8), hasEntityTag: false, lastModified: Self.lastModified, cacheControl: nil
            )
        ]
    }

    /// A built chunk: its name changes with its bytes, so it may be kept for a year (RFC 8246).
    static func file(for chunk: BuiltChunk) -> DemoFile {
        DemoFile(
            host: chunk.host, path: chunk.path, contentType: chunk.source.contentType, bytes: chunk.bytes,
            cacheControl: "public, max-age=31536000, immutable", otherFields: crossOrigin, chunk: chunk.source.name)
    }

    private var pictures: [DemoFile] {
        Artwork.pngs.map { name, bytes in
            DemoFile(
                host: hosts.cdn, path: "/img/\(name)", contentType: "image/png", bytes: bytes,
                lastModified: Self.lastModified, cacheControl: "max-age=86400", otherFields: Self.crossOrigin)
        }
    }

    private var film: [DemoFile] {
        let ranged = DemoFile.Field(name: "Access-Control-Expose-Headers", value: "Content-Range")
        return [
            DemoFile(
                host: hosts.cdn, path: Artwork.filmStem + ".mov", contentType: Artwork.filmType,
                bytes: Artwork.film, lastModified: Self.lastModified, cacheControl: "max-age=86400",
                otherFields: Self.crossOrigin + [ranged]),
            DemoFile(
                host: hosts.cdn, path: Artwork.filmStem + ".png", contentType: "image/png", bytes: Artwork.still,
                lastModified: Self.lastModified, cacheControl: "max-age=86400", otherFields: Self.crossOrigin),
        ]
    }

    private var vectorArt: [DemoFile] {
        [("/static/logo.svg", Icon.logo), ("/static/today.svg", Icon.today), ("/favicon.svg", Icon.logo)].map {
            path, text in
            DemoFile(
                host: hosts.shop, path: path, contentType: "image/svg+xml", bytes: Array(text.utf8),
                lastModified: Self.lastModified, cacheControl: "max-age=300")
        }
    }

    private var redirects: [DemoFile] {
        let ways = [
            ("/old-home", 301, "/", "max-age=86400"), ("/img/logo", 301, "/static/logo.svg", "max-age=86400"),
            ("/r/today", 302, "/static/today.svg", "max-age=60"),
        ]
        return ways.map { path, status, target, cacheControl in
            DemoFile(
                host: hosts.shop, path: path, status: status, contentType: "text/plain; charset=utf-8",
                bytes: Array("See \(target)\n".utf8), hasEntityTag: false, cacheControl: cacheControl,
                otherFields: [.init(name: "Location", value: target)])
        }
    }
}
