import CacheEngine
import CachingProxy
import DemoSite
import Foundation
import WebVisit

/// The bundled site on its shaped origin, with certificates and names.
final class DemoStage: Sendable {
    /// Where browsers find the site's page.
    static let url = "https://shop.test/"

    let origin: DemoOrigin
    let first: DemoSite
    let second: DemoSite
    /// The manifests of the first.
    let publication: DemoPublication
    /// `shop.test:443:127.0.0.1:PORT` and the same for the CDN.
    let hostMap: [String]
    /// PEM file of the authority that signed the origin's certificate.
    let authorityFile: String
    /// The origin's certificate, for the control that meets it unopened.
    let certificatePEM: String
    private let port: Int

    /// - Parameters:
    ///   - hosts: With one host for both, all addresses of the site are relative.
    ///   - otherFiles: How many files of 20 kB the shop has that no page needs.
    static func start(
        in directory: String, hosts: DemoHosts = DemoHosts(), otherFiles: Int = 0
    ) async throws -> DemoStage {
        let first = try DemoSite.build(version: 1, hosts: hosts)
        let second = try DemoSite.build(version: 2, hosts: hosts)
        let authority = try CertificateAuthority(directory: directory + "/origin-authority")
        let identity = try authority.makeIdentity(names: Self.names(hosts))
        let certificate = OriginCertificate(
            chainPEM: identity.certificatePEM + authority.certificatePEM, privateKeyPEM: identity.keyPEM)
        let publication = DemoPublication(first, now: EngineClock.system.wallTime())
        let bytes = [UInt8](repeating: 0x2E, count: 20_000)
        let others = (0..<otherFiles).map {
            DemoFile(
                host: hosts.shop, path: "/other/\($0).txt", contentType: "text/plain", bytes: bytes,
                cacheControl: "max-age=31536000, immutable")
        }
        let origin = DemoOrigin(site: try publication.published().adding(others), shaping: .fourG)
        let port = try await origin.start(certificate: certificate)
        return DemoStage(
            origin: origin, first: first, second: second, port: port,
            authorityFile: directory + "/origin-authority/ca.pem", certificate: certificate,
            leafPEM: identity.certificatePEM, publication: publication)
    }

    private let certificate: OriginCertificate
    /// Takes the origin's port while the network is bad.
    private let line = ShapedRelay(shaping: .none)

    private init(
        origin: DemoOrigin, first: DemoSite, second: DemoSite, port: Int, authorityFile: String,
        certificate: OriginCertificate, leafPEM: String, publication: DemoPublication
    ) {
        self.publication = publication
        self.origin = origin
        self.first = first
        self.second = second
        self.port = port
        self.authorityFile = authorityFile
        self.certificate = certificate
        certificatePEM = leafPEM
        hostMap = Self.names(first.hosts).map { "\($0):443:127.0.0.1:\(port)" }
    }

    private static func names(_ hosts: DemoHosts) -> [String] {
        hosts.shop == hosts.cdn ? [hosts.shop] : [hosts.shop, hosts.cdn]
    }

    /// The certificate as a web view has to trust it that meets the origin itself.
    var leaves: [TrustedLeaf] {
        Self.names(first.hosts).map { TrustedLeaf(host: $0, certificatePEM: certificatePEM) }
    }

    func takeOffline() async {
        await line.stop()
        await origin.stop()
    }

    /// Puts a line with a fault before the origin.
    func worsen(_ fault: LineFault) async throws {
        await takeOffline()
        let own = try await origin.start(certificate: certificate)
        line.setFault(fault)
        try await line.listen(toHost: "127.0.0.1", port: own, on: port)
    }

    func bringBack() async throws {
        await takeOffline()
        try await origin.start(certificate: certificate, port: port)
    }

    func deploy(_ site: DemoSite) {
        origin.deploy(site)
    }

    /// The origin's sightings since the last call.
    func takeLog() -> OriginSighting {
        defer { origin.log.reset() }
        return OriginSighting(
            connections: origin.log.connections, bytes: Int64(origin.log.bodyBytesSent), requests: origin.log.requests)
    }
}

/// An origin's view of one visit.
struct OriginSighting: Sendable {
    var connections: Int
    var bytes: Int64
    /// `nil` where only bytes were seen.
    var requests: [OriginRecord]?

    /// Whole answers with content, by `host/path`.
    var delivered: Set<String> {
        Set((requests ?? []).filter { (200..<300).contains($0.status) && $0.method == "GET" }.map { $0.host + $0.path })
    }
}
