import DemoSite
import HTTPCacheSemantics
import Manifests
import Preloading

/// The sample shop's manifests, one for each host, as a release engineer would publish them: signed, beside the files.
struct DemoPublication {
    struct Manifest {
        var host: String
        var url: String
        var base: String
        /// Whether its host is on another site than the shop's pages.
        var isOtherSite: Bool
    }

    let key = ManifestSigningKey()
    private let site: DemoSite
    private let now: WallInstant

    init(_ site: DemoSite, now: WallInstant) { (self.site, self.now) = (site, now) }

    var manifests: [Manifest] {
        Set([site.hosts.shop, site.hosts.cdn]).sorted().map {
            Manifest(
                host: $0, url: base($0) + "larder/head.json", base: base($0), isOtherSite: $0 != site.hosts.shop)
        }
    }

    var pageOrigin: String { site.hosts.origin(of: site.hosts.shop) }

    var trust: ManifestTrust { .pinned(PinnedKeys([key.publicKey].compactMap { $0 })) }

    /// The site with its manifests.
    func published() throws -> DemoSite {
        site.adding(try manifests.flatMap { try files(of: $0.host) })
    }

    /// A manifest names contents; what redirects to pictures is listed by itself.
    func redirects(of host: String) -> [PreloadItem] {
        site.files.filter { $0.host == host && $0.fields["Location"].contains { $0.hasSuffix(".svg") } }.map {
            PreloadItem(url: site.hosts.origin(of: host) + $0.path, destination: .image, origin: pageOrigin)
        }
    }

    private func base(_ host: String) -> String { site.hosts.origin(of: host) + "/" }

    private func files(of host: String) throws -> [DemoFile] {
        let list = ReleaseList(release: "v\(site.version)", files: site.files.compactMap { listed($0, host) })
        var head = SignedManifest(
            payload: ManifestHead(
                id: host, serial: 1, issued: now, expires: now + .seconds(86_400), base: base(host),
                releases: [Release(name: list.release, list: .init(to: list.bytes))]
            ).payload)
        try head.sign(with: key)
        let path = "/larder/" + Release.ListReference(to: list.bytes).path
        return [
            DemoFile(
                host: host, path: "/larder/head.json", contentType: "application/json", bytes: head.published,
                cacheControl: "no-cache"),
            DemoFile(
                host: host, path: path, contentType: "application/json", bytes: list.bytes,
                cacheControl: "max-age=31536000, immutable"),
        ]
    }

    /// Pages come from the origin, so that they name the newest files; redirects have no content of their own.
    private func listed(_ file: DemoFile, _ host: String) -> ListedFile? {
        guard file.host == host, file.status == 200, let digest = BodyDigest(file.sha256) else { return nil }
        let type = String(file.contentType.prefix { $0 != ";" })
        guard let use = Self.use(type) else { return nil }
        return ListedFile(
            path: String(file.path.dropFirst()), digest: digest, size: ByteCount(file.bytes.count), use: use,
            mediaType: type, group: use == .video ? .lazy : .boot)
    }

    private static func use(_ type: String) -> ListedFile.Use? {
        switch type {
        case "text/html": nil
        case "text/javascript": .script
        case "text/css": .style
        case _ where type.hasPrefix("image/"): .image
        case _ where type.hasPrefix("font/"): .font
        case _ where type.hasPrefix("video/"): .video
        default: .fetch
        }
    }
}
