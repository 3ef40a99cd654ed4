#if Proxy
import CacheEngine
import Crypto
import Foundation
import HTTPCacheSemantics
import Locking
import NIOSSL
import OriginDialing
import ResponseStore
import SwiftASN1
import X509

/// The certificate authority of one directory, made on first use, and the leaf certificates it signs.
///
/// ECDSA P-256. The authority lasts ten years and is made anew half a year before its end, or where its key and
/// certificate are no pair; its key stays in a file of mode 0600. Leaves last 90 days, are made when a host is first
/// asked for, and live in memory only, at most 256 of them. Nothing is installed in any trust store.
package final class CertificateAuthority: Sendable {
    /// A leaf certificate, ready for use.
    struct Leaf: Sendable {
        var configuration: TLSConfiguration
        var context: NIOSSLContext
        var pem: String
        var notValidAfter: Date
    }

    /// The certificate and its key.
    private struct Identity: Sendable {
        var key: P256.Signing.PrivateKey
        var certificate: Certificate
        var pem: String
    }

    /// Leaves in memory, each with its TLS context (20 KiB). A leaf that was dropped is made anew, with other bytes,
    /// when it is asked for again.
    package static let leafLimit = 256

    private let certificate: Certificate
    private let key: P256.Signing.PrivateKey
    /// The authority's certificate, for clients that are to trust it.
    package let certificatePEM: String
    private let leaves = LockedBox(RecentCache<String, Leaf>(budget: CertificateAuthority.leafLimit))
    private let clock: EngineClock

    /// Loads the authority of a directory, or makes it.
    ///
    /// - Parameter secrets: Where its key is kept; a file in the directory unless set.
    /// - Throws: ``ProxyError/Code/authorityUnusable``.
    package convenience init(
        directory: String, secrets: (any SecretStore)? = nil, clock: EngineClock = .system
    ) throws {
        do {
            self.init(try Self.load(AuthorityFiles(directory: directory, secrets: secrets), clock), clock)
        } catch let error as ProxyError {
            throw error
        } catch let error as SecretError {
            throw ProxyError(
                code: .authorityUnusable,
                message: "The key of the certificate authority can't be read or kept. \(error.message)", cause: error)
        } catch {
            throw ProxyError(
                code: .authorityUnusable,
                message: Self.isFull(error)
                    ? "The certificate authority in '\(directory)' can't be made, because the disk is full; free "
                        + "some space."
                    : "The certificate authority in '\(directory)' can't be made or read; remove that folder, or "
                        + "choose another one.", cause: error)
        }
    }

    private static func isFull(_ error: any Error) -> Bool {
        switch (error as? POSIXError)?.code {
        case .ENOSPC?, .EDQUOT?: true
        default: (error as? CocoaError)?.code == .fileWriteOutOfSpace
        }
    }

    /// Makes one that is kept in memory only, for where nothing can be written.
    package convenience init(inMemoryWith clock: EngineClock = .system) throws {
        self.init(try Self.made(clock), clock)
    }

    private init(_ identity: Identity, _ clock: EngineClock) {
        (key, certificate, certificatePEM) = (identity.key, identity.certificate, identity.pem)
        self.clock = clock
    }

    private static func load(_ files: AuthorityFiles, _ clock: EngineClock) throws -> Identity {
        let found = try usable(try files.read(), clock)
        if let found, found.isWhole { return found.identity }
        do {
            return try files.locked {
                // Another process may have been first.
                let content = try files.read()
                let identity = try usable(content, clock)?.identity ?? made(clock)
                try files.write(.init(key: identity.key.pemRepresentation, certificate: identity.pem))
                return identity
            }
        } catch {
            // It can't be written, and is good as it is.
            guard let found else { throw error }
            return found.identity
        }
    }

    /// The authority in the files, if it can sign leaves that clients accept for as long as they last.
    private static func usable(
        _ content: AuthorityFiles.Content?, _ clock: EngineClock
    ) throws -> (identity: Identity, isWhole: Bool)? {
        guard let content else { return nil }
        let key = try P256.Signing.PrivateKey(pemRepresentation: content.key)
        let certificate = try Certificate(pemEncoded: content.certificate)
        let now = date(clock)
        guard certificate.publicKey == Certificate.PublicKey(key.publicKey), certificate.notValidBefore <= now,
            certificate.notValidAfter > now.addingTimeInterval(180 * 86_400)
        else { return nil }
        return (Identity(key: key, certificate: certificate, pem: content.certificate), content.isWhole)
    }

    private static func made(_ clock: EngineClock) throws -> Identity {
        let (key, now) = (P256.Signing.PrivateKey(), date(clock))
        let name = try DistinguishedName {
            CommonName("Larder authority of this device")
            OrganizationName("Larder")
        }
        let publicKey = Certificate.PublicKey(key.publicKey)
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: publicKey,
            notValidBefore: now.addingTimeInterval(-86_400), notValidAfter: now.addingTimeInterval(3_650 * 86_400),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: publicKey)
            }, issuerPrivateKey: Certificate.PrivateKey(key))
        return Identity(key: key, certificate: certificate, pem: try certificate.serializeAsPEM().pemString + "\n")
    }

    private static func date(_ clock: EngineClock) -> Date {
        Date(timeIntervalSince1970: Double(clock.wallTime().unixSeconds))
    }

    /// A leaf certificate and its key in PEM for several names at once: for origins of demos and tests.
    package func makeIdentity(names: [String]) throws -> (certificatePEM: String, keyPEM: String) {
        let leafKey = P256.Signing.PrivateKey()
        let certificate = try sign(leafKey, names: names, now: Self.date(clock))
        return (try certificate.serializeAsPEM().pemString + "\n", leafKey.pemRepresentation)
    }

    /// The certificate that an intercepted host will present, in PEM, for clients that trust exact leaves.
    package func leafPEM(for host: String) throws -> String { try leaf(for: host).pem }

    /// The certificate that was made for a host, in DER; `nil` if none was, or if it was dropped since.
    package func knownLeafDER(for host: String) throws -> [UInt8]? {
        let leaf = leaves.withLock { $0.value(for: host) }
        return try leaf.map { try PEMDocument(pemString: $0.pem).derBytes }
    }

    /// The leaf for a host; the same one, with the same session tickets, until it is about to expire or is dropped
    /// because ``leafLimit`` others were asked for since.
    func leaf(for host: String) throws -> Leaf {
        let now = Self.date(clock)
        if let known = leaves.withLock({ $0.value(for: host) }), known.notValidAfter > now.addingTimeInterval(86_400) {
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
        configuration.applicationProtocols = ["h2", "http/1.1"]
        let leaf = Leaf(
            configuration: configuration, context: try NIOSSLContext(configuration: configuration), pem: pem,
            notValidAfter: signed.notValidAfter)
        return leaves.withLock { leaves in
            // The first of two that were made at once wins: a web view has been told of exactly that one.
            if let other = leaves.value(for: host), other.notValidAfter > now.addingTimeInterval(86_400) {
                return other
            }
            leaves.set(leaf, for: host, cost: 1)
            return leaf
        }
    }

    /// Offers the host's clients HTTP/1.1 alone from now on (RFC 7301), under the same leaf.
    func offerHTTP11(for host: String) {
        leaves.withLock { leaves in
            guard var leaf = leaves.value(for: host) else { return }
            leaf.configuration.applicationProtocols = ["http/1.1"]
            guard let context = try? NIOSSLContext(configuration: leaf.configuration) else { return }
            leaf.context = context
            leaves.set(leaf, for: host, cost: 1)
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
