#if Proxy
import HTTPCacheSemantics
import Locking
import NIOSSL
import SwiftASN1
import X509

/// The authorities that origins are trusted by: the system's, and optionally more. It can't be switched off.
///
/// TLS 1.2 at least: 1.0 and 1.1 must not be used (RFC 8996), and behind an intercepted connection no client could see
/// that its origin speaks nothing better.
package struct OriginTrust: Sendable {
    /// Offers HTTP/2 and HTTP/1.1 (RFC 7301; RFC 9113 §3.2).
    let contextForHTTP2: NIOSSLContext
    private let configuration: TLSConfiguration
    private let made = LockedBox<NIOSSLContext?>(nil)

    /// - Parameter additionalAuthorities: A PEM file with authorities to trust besides the system's.
    /// - Throws: ``DialerError`` when the file can't be read.
    package init(additionalAuthorities file: String? = nil) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        // The chain alone, without the host: `OriginIdentity` checks that.
        configuration.certificateVerification = .noHostnameVerification
        configuration.applicationProtocols = ["http/1.1"]
        // RFC 8446 §6.1: neither side has to wait for the other's close_notify. An origin whose answer was given up
        // would go on sending it meanwhile.
        configuration.shutdownTimeout = .zero
        if let file {
            do {
                configuration.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(file))]
            } catch {
                throw DialerError(
                    description: "The authorities file '\(file)' can't be read; give a PEM file with one or more "
                        + "certificates.")
            }
        }
        self.configuration = configuration
        configuration.applicationProtocols = ["h2", "http/1.1"]
        contextForHTTP2 = try NIOSSLContext(configuration: configuration)
    }

    /// Offers HTTP/1.1 alone. Made when it is needed first: reading the system's authorities takes long.
    var context: NIOSSLContext {
        get throws {
            try made.withLock { made in
                let context = try made ?? NIOSSLContext(configuration: configuration)
                made = context
                return context
            }
        }
    }
}

/// Decides whether a certificate speaks for the host of a URL, once its chain has been verified.
///
/// The URL decides, never the address that was dialled: a client "MUST construct a reference identity from the
/// service's host" (RFC 9110 §4.3.4), and an address counts only where the host is that address. swift-nio-ssl accepts
/// the address of the socket for every host, the common name, and parts of a label as wildcards, so it verifies chains
/// only.
///
/// - A DNS name matches a host in ASCII without regard to case and to one final dot (RFC 9525 §6.3).
/// - A wildcard is a whole left-most label and stands for one label (RFC 9525 §6.3). Nothing above a registrable domain
///   may have one, such as `*.test` or `*.co.uk`: authorities must not issue those (Baseline Requirements §3.2.2.6).
/// - An address matches by its octets (RFC 9525 §6.5); a DNS name that reads as an address matches nothing.
/// - The common name is never read (RFC 9525 §2).
/// - RSA keys have 2,048 bits at least; signatures with SHA-1 count for nothing (Baseline Requirements §6.1.5,
///   §7.1.3.2).
struct OriginIdentity: Sendable {
    private enum Reference: Sendable {
        case address([UInt8])
        /// In lower case, without a final dot.
        case name([Substring])
        /// A host that no certificate may name.
        case none
    }

    private let reference: Reference

    /// - Parameter host: The host of a URL, in ASCII; an IPv6 address without its brackets.
    init(host: String) {
        if let address = IPAddressBytes.parse(host) {
            reference = .address(address)
        } else {
            let labels = Self.labels(host.lowercased())
            reference = Self.isHostName(labels) ? .name(labels) : .none
        }
    }

    /// The name for TLS's `server_name`: "literal IPv4 and IPv6 addresses are not permitted", and the host is without
    /// its final dot (RFC 6066 §3).
    var serverName: String? {
        switch reference {
        case .address, .none: nil
        case .name(let labels): labels.joined(separator: ".")
        }
    }

    /// - Parameter certificate: The leaf, in DER.
    func check(_ certificate: [UInt8]) throws {
        let leaf: Certificate
        let names: SubjectAlternativeNames
        do {
            leaf = try Certificate(derEncoded: certificate)
            names = try leaf.extensions.subjectAlternativeNames ?? SubjectAlternativeNames()
        } catch {
            throw OriginIdentityError.unreadable
        }
        guard names.contains(where: matches) else {
            throw OriginIdentityError.otherNames(names.prefix(4).compactMap(Self.text))
        }
        if Self.weakSignatures.contains(Self.signature(of: certificate)) { throw OriginIdentityError.weakSignature }
        if let bits = Self.bitsOfRSA(leaf.publicKey), bits < 2_048 { throw OriginIdentityError.weakKey(bits) }
    }

    private func matches(_ name: GeneralName) -> Bool {
        switch (reference, name) {
        case (.address(let address), .ipAddress(let octets)): octets.bytes.elementsEqual(address)
        case (.name(let labels), .dnsName(let text)): Self.matches(Self.labels(text.lowercased()), labels)
        default: false
        }
    }

    private static func matches(_ presented: [Substring], _ labels: [Substring]) -> Bool {
        guard presented.count == labels.count, presented.dropFirst() == labels.dropFirst() else { return false }
        if presented.first == labels.first { return true }
        return presented.first == "*" && !PublicSuffixes.isRegistrySuffix(labels.dropFirst().joined(separator: "."))
    }

    private static func labels(_ name: String) -> [Substring] {
        let name = name.hasSuffix(".") ? name.dropLast() : name[...]
        return name.split(separator: ".", omittingEmptySubsequences: false)
    }

    /// Letters, digits, hyphens and underscores; the last label is not a number, which readers of URLs take for an
    /// address (WHATWG URL, "ends in a number").
    private static func isHostName(_ labels: [Substring]) -> Bool {
        guard let last = labels.last, !last.allSatisfy(\.isNumber), !last.hasPrefix("0x") else { return false }
        return labels.allSatisfy { label in
            !label.isEmpty
                && label.utf8.allSatisfy { byte in
                    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
                }
        }
    }

    /// The length of the modulus; `nil` for keys on curves. An RSA key is the only one whose octets are DER (RFC 8017
    /// appendix A.1.1); points begin with 4 (SEC 1 §2.3.3), and keys of Ed25519 have 32 octets.
    private static func bitsOfRSA(_ key: Certificate.PublicKey) -> Int? {
        let octets = key.subjectPublicKeyInfoBytes
        guard octets.first == 0x30, octets.count > 32 else { return nil }
        let modulus = try? DER.sequence(try DER.parse(Array(octets)), identifier: .sequence) { nodes in
            let modulus = try ArraySlice<UInt8>(derEncoded: &nodes)
            _ = try ArraySlice<UInt8>(derEncoded: &nodes)
            return modulus
        }
        guard let digits = modulus?.drop(while: { $0 == 0 }), let first = digits.first else { return 0 }
        return digits.count * 8 - first.leadingZeroBitCount
    }

    /// With SHA-1 or MD5, by RSA (RFC 8017 appendix C) and by ECDSA (RFC 3279 §2.2.3).
    private static let weakSignatures: Set<ASN1ObjectIdentifier?> = [
        [1, 2, 840, 113_549, 1, 1, 5], [1, 2, 840, 113_549, 1, 1, 4], [1, 2, 840, 10_045, 4, 1], nil,
    ]

    /// The algorithm that signed a certificate (RFC 5280 §4.1.1.2); `nil` where it can't be read.
    private static func signature(of certificate: [UInt8]) -> ASN1ObjectIdentifier? {
        try? DER.sequence(try DER.parse(certificate), identifier: .sequence) { nodes in
            let parts = Array(IteratorSequence(nodes))
            while nodes.next() != nil {}
            guard parts.count == 3 else { return nil }
            return try DER.sequence(parts[1], identifier: .sequence) { algorithm in
                let name = try ASN1ObjectIdentifier(derEncoded: &algorithm)
                while algorithm.next() != nil {}
                return name
            }
        }
    }

    private static func text(_ name: GeneralName) -> String? {
        switch name {
        case .dnsName(let text): text
        case .ipAddress(let octets): IPAddressBytes.text(Array(octets.bytes))
        default: nil
        }
    }
}

/// Why a certificate does not speak for a host.
enum OriginIdentityError: Error, Hashable, Sendable {
    /// The first four names that it speaks for.
    case otherNames([String])
    /// The length of its RSA key in bits.
    case weakKey(Int)
    /// With SHA-1 or MD5.
    case weakSignature
    case unreadable

    /// The end of a sentence about the certificate.
    var reason: String {
        switch self {
        case .otherNames([]): "it names no host (the common name does not count)"
        case .otherNames(let names): "it is for \(names.joined(separator: ", "))"
        case .weakKey(let bits): "its RSA key has \(bits) bits, 2048 are needed"
        case .weakSignature: "its signature is of SHA-1 or weaker"
        case .unreadable: "it can't be read"
        }
    }
}
#endif
