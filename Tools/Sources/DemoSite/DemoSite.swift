/// The sample site: a small shop on two hosts, made from nothing at start.
///
/// Every byte is generated here and is the same on every machine, so a version's names and digests can be compared
/// across runs. What only exists per request (the API, uploads, the WebSocket) is the ``DemoOrigin``'s.
package struct DemoSite: Sendable {
    /// Which deploy this is.
    package let version: Int
    /// The hosts that the site's URLs name.
    package let hosts: DemoHosts
    /// All files, pages and redirects, ordered by host and path.
    package let files: [DemoFile]

    /// The versions that exist.
    package static let versions = 1...2

    /// Builds a version of the site.
    ///
    /// - Parameters:
    ///   - version: 1, or 2, in which about half of the hashed scripts and styles differ, and the headline.
    ///   - hosts: The hosts to name in URLs.
    /// - Throws: `unknownVersion` for any other number. Other codes would be faults in the site's own sources.
    package static func build(version: Int, hosts: DemoHosts = DemoHosts()) throws(DemoSiteError) -> DemoSite {
        guard versions.contains(version) else {
            throw DemoSiteError(.unknownVersion, "The sample site has versions 1 and 2, not \(version).")
        }
        let sources =
            Scripts(version: version, hosts: hosts).sources() + Styles.sources(version: version)
            + [ChunkSource("pantry.ttf", bytes: Artwork.font)]
        let built = try HashedNames(sources, hosts: hosts)
        var files = SiteFiles(hosts: hosts).assets()
        files += built.chunks.values.map { SiteFiles.file(for: $0) }
        for page in Markup(version: version, hosts: hosts).pages() {
            files.append(
                DemoFile(
                    host: hosts.shop, path: page.path, contentType: "text/html; charset=utf-8",
                    bytes: try built.resolve(page: page.html), cacheControl: "no-cache",
                    otherFields: [.init(name: "Vary", value: "Accept-Encoding")]))
        }
        files.sort { ($0.host, $0.path) < ($1.host, $1.path) }
        return DemoSite(version: version, hosts: hosts, files: files)
    }

    /// The scripts, styles and fonts whose names carry a hash of their bytes.
    package var hashedFiles: [DemoFile] { files.filter { $0.chunk != nil } }

    /// The file at a place, if there is one.
    package func file(host: String, path: String) -> DemoFile? {
        files.first { $0.host == host && $0.path == path }
    }

    /// The same site with other files of its hosts beside its own.
    package func adding(_ more: [DemoFile]) -> DemoSite {
        DemoSite(version: version, hosts: hosts, files: files + more)
    }

    /// The files that a client with another version has to fetch: new ones and changed ones.
    package func changed(since other: DemoSite) -> [DemoFile] {
        let held = Set(other.files)
        return files.filter { !held.contains($0) }
    }
}
