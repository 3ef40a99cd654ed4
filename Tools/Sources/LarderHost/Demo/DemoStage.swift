import CachingProxy
import DemoSite
import Foundation

/// The bundled site on its shaped origin, with certificates and names.
final class DemoStage: Sendable {
    /// Where browsers find the site's page.
    static let url = "https://shop.test/"

    let origin: DemoOrigin
    let first: DemoSite
    let second: DemoSite
    /// `shop.test:443:127.0.0.1:PORT` and the same for the CDN.
    let hostMap: [String]
    /// PEM file of the authority that signed the origin's certificate.
    let authorityFile: String
    /// The origin's certificate, for the control that meets it unopened.
    let certificatePEM: String
    private let port: Int

    static func start(in directory: String) async throws -> DemoStage {
        let first = try DemoSite.build(version: 1)
        let second = try DemoSite.build(version: 2)
        let authority = try CertificateAuthority(directory: directory + "/origin-authority")
        let identity = try authority.makeIdentity(names: [first.hosts.shop, first.hosts.cdn])
        let certificate = OriginCertificate(
            chainPEM: identity.certificatePEM + authority.certificatePEM, privateKeyPEM: identity.keyPEM)
        let origin = DemoOrigin(site: first, shaping: .fourG)
        let port = try await origin.start(certificate: certificate)
        return DemoStage(
            origin: origin, first: first, second: second, port: port,
            authorityFile: directory + "/origin-authority/ca.pem", certificate: certificate,
            leafPEM: identity.certificatePEM)
    }

    private let certificate: OriginCertificate

    private init(
        origin: DemoOrigin, first: DemoSite, second: DemoSite, port: Int, authorityFile: String,
        certificate: OriginCertificate, leafPEM: String
    ) {
        self.origin = origin
        self.first = first
        self.second = second
        self.port = port
        self.authorityFile = authorityFile
        self.certificate = certificate
        certificatePEM = leafPEM
        hostMap = [first.hosts.shop, first.hosts.cdn].map { "\($0):443:127.0.0.1:\(port)" }
    }

    func takeOffline() async {
        await origin.stop()
    }

    func bringBack() async throws {
        try await origin.start(certificate: certificate, port: port)
    }

    func deploySecond() {
        origin.deploy(second)
    }

    /// What the origin saw since the last call.
    func takeLog() -> OriginSighting {
        defer { origin.log.reset() }
        return OriginSighting(
            connections: origin.log.connections, bytes: Int64(origin.log.bodyBytesSent), requests: origin.log.requests)
    }
}

/// What an origin saw of one visit.
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
