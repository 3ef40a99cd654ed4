#if Proxy
import CacheEngine
import Crypto
import Foundation
import HTTPCacheSemantics
import Locking
import NIOSSL
import SwiftASN1
import X509

/// The certificate authority of one directory, made on first use, and the leaf certificates it signs.
///
/// ECDSA P-256. The authority lasts ten years and its key stays in a file of mode 0600; leaves last 90 days, are made
/// when a host is first asked for, and live in memory only. Nothing is installed in any trust store.
public final class CertificateAuthority: Sendable {
    /// A leaf certificate, ready for use.
    struct Leaf: Sendable {
        var context: NIOSSLContext
        var pem: String
        var notValidAfter: Date
    }

    private let certificate: Certificate
    private let key: P256.Signing.PrivateKey
    /// The authority's certificate, for clients that are to trust it.
    public let certificatePEM: String
    private let leaves = LockedBox<[String: Leaf]>([:])
    private let clock: EngineClock

    /// Loads the authority of a directory, or makes it.
    ///
    /// - Throws: ``ProxyError/Code/authorityUnusable``.
    public init(directory: String, clock: EngineClock = .system) throws {
        self.clock = clock
        let files = AuthorityFiles(directory: directory)
        do {
            if let found = try files.read() {
                key = try P256.Signing.PrivateKey(pemRepresentation: found.key)
                certificate = try Certificate(pemEncoded: found.certificate)
                certificatePEM = found.certificate
                return
            }
            (key, certificate, certificatePEM) = try Self.made(clock)
            try files.write(key: key.pemRepresentation, certificate: certificatePEM)
        } catch {
            throw ProxyError(
                code: .authorityUnusable,
                message: "The certificate authority in '\(directory)' can't be made or read; remove that folder, or "
                    + "choose another one.", cause: error)
        }
    }

    /// Makes one that is kept in memory only, for where nothing can be written.
    ///
    /// - Throws: What the signing says.
    public init(inMemoryWith clock: EngineClock = .system) throws {
        self.clock = clock
        (key, certificate, certificatePEM) = try Self.made(clock)
    }

    private static func made(_ clock: EngineClock) throws -> (P256.Signing.PrivateKey, Certificate, String) {
        let key = P256.Signing.PrivateKey()
        let certificate = try makeAuthority(key, now: date(clock))
        return (key, certificate, try certificate.serializeAsPEM().pemString + "\n")
    }

    private static func date(_ clock: EngineClock) -> Date {
        Date(timeIntervalSince1970: Double(clock.wallTime().unixSeconds))
    }

    private static func makeAuthority(_ key: P256.Signing.PrivateKey, now: Date) throws -> Certificate {
        let name = try DistinguishedName {
            CommonName("Larder authority of this device")
            OrganizationName("Larder")
        }
        let publicKey = Certificate.PublicKey(key.publicKey)
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: now.addingTimeInterval(-86_400), notValidAfter: now.addingTimeInterval(3_650 * 86_400),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: publicKey)
            }, issuerPrivateKey: Certificate.PrivateKey(key))
    }

    /// A leaf certificate and its key in PEM for several names at once: for origins of demos and tests.
    public func makeIdentity(names: [String]) throws -> (certificatePEM: String, keyPEM: String) {
        let leafKey = P256.Signing.PrivateKey()
        let certificate = try sign(leafKey, names: names, now: Self.date(clock))
        return (try certificate.serializeAsPEM().pemString + "\n", leafKey.pemRepresentation)
    }

    /// The certificate that an intercepted host will present, in PEM, for clients that trust exact leaves.
    public func leafPEM(for host: String) throws -> String {
        try leaf(for: host).pem
    }

    /// The leaf for a host; the same one, with the same session tickets, until it is about to end.
    func leaf(for host: String) throws -> Leaf {
        let now = Self.date(clock)
        if let known = leaves.withLock({ $0[host] }), known.notValidAfter > now.addingTimeInterval(86_400) {
            return known
        }
        let leafKey = P256.Signing.PrivateKey()
        let signed = try sign(leafKey, names: [host], now: now)
        let pem = try signed.serializeAsPEM().pemString + "\n"
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array((pem + certificatePEM).utf8)).map {
                .certificate($0)
            },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(leafKey.pemRepresentation.utf8), format: .pem)))
        configuration.minimumTLSVersion = .tlsv13
        configuration.applicationProtocols = ["http/1.1"]
        let leaf = Leaf(
            context: try NIOSSLContext(configuration: configuration), pem: pem,
            notValidAfter: signed.notValidAfter)
        return leaves.withLock { leaves in
            // Of two that were made at once, one wins: a web view has been told of exactly that one.
            if let other = leaves[host], other.notValidAfter > now.addingTimeInterval(86_400) { return other }
            leaves[host] = leaf
            return leaf
        }
    }

    private func sign(_ leafKey: P256.Signing.PrivateKey, names: [String], now: Date) throws -> Certificate {
        let publicKey = Certificate.PublicKey(leafKey.publicKey)
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: now.addingTimeInterval(-86_400), notValidAfter: now.addingTimeInterval(90 * 86_400),
            issuer: certificate.subject, subject: try DistinguishedName { CommonName(String(names[0].prefix(64))) },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names.map(Self.alternativeName))
                SubjectKeyIdentifier(hash: publicKey)
            }, issuerPrivateKey: Certificate.PrivateKey(key))
    }

    private static func alternativeName(_ host: String) -> GeneralName {
        guard let bytes = IPAddressBytes.parse(host) else { return .dnsName(host) }
        return .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
    }
}
#endif
