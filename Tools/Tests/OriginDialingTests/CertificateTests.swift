import CacheEngine
import CacheTesting
import ChildPrograms
import Foundation
import NIOPosix
import Testing
import WireSupport

@testable import OriginDialing

/// One certificate and the host of a URL that it is presented for, always by a server at 127.0.0.1.
struct CertificateRow: Sendable, CustomTestStringConvertible {
    /// An opinion of a peer that differs from ours.
    enum Peer: Sendable { case same, laxer, stricter }

    var testDescription: String
    var host: String
    var wish: CertificateMaker.Wish
    var isTrusted: Bool
    /// Of curl 7.88 with OpenSSL 3.0, which is asked too.
    var curl = Peer.same

    init(
        _ description: String, _ host: String = "bank.test", isTrusted: Bool = false, curl: Peer = .same,
        _ change: (inout CertificateMaker.Wish) -> Void = { _ in }
    ) {
        (testDescription, self.host, self.isTrusted, self.curl) = (description, host, isTrusted, curl)
        wish = CertificateMaker.Wish()
        change(&wish)
    }

    /// A row about the names of a certificate.
    static func names(_ names: String, _ host: String, isTrusted: Bool = false, curl: Peer = .same) -> CertificateRow {
        CertificateRow("\(names) for \(host)", host, isTrusted: isTrusted, curl: curl) { $0.names = names }
    }

    static let names: [CertificateRow] = [
        // RFC 9110 §4.3.4: the URL's host is the reference identity, not the address that is connected to.
        .names("IP:127.0.0.1", "bank.test"),
        .names("IP:127.0.0.1,DNS:other.test", "bank.test"),
        .names("IP:127.0.0.1", "127.0.0.1", isTrusted: true),
        .names("IP:10.0.0.1", "127.0.0.1"),
        // The server is at 127.0.0.1 for these hosts as well.
        .names("IP:127.0.0.1", "10.0.0.1"), .names("IP:10.0.0.1", "10.0.0.1", isTrusted: true),
        .names("IP:0:0:0:0:0:0:0:1", "::1", isTrusted: true), .names("IP:0:0:0:0:0:0:0:1", "bank.test"),
        .names("IP:0:0:0:0:0:0:0:1", "0:0:0:0:0:0:0:1", isTrusted: true),
        .names("IP:127.0.0.1", "::ffff:127.0.0.1"), .names("IP:0:0:0:0:0:FFFF:7F00:1", "127.0.0.1"),
        .names("IP:0:0:0:0:0:FFFF:7F00:1", "::ffff:127.0.0.1", isTrusted: true),
        // RFC 9525 §6.5: an address in a DNS name is no address.
        .names("DNS:127.0.0.1", "127.0.0.1"), .names("DNS:*.0.0.1", "127.0.0.1"),
        // curl reads 127.1 as 127.0.0.1 first, as URL readers do; here nobody has.
        .names("IP:127.0.0.1", "127.1", curl: .laxer), .names("DNS:127.1", "127.1"),
        // RFC 9525 §6.3: without regard to case; a final dot says nothing.
        .names("DNS:BANK.Test", "bank.test", isTrusted: true), .names("DNS:bank.test", "BANK.TEST", isTrusted: true),
        .names("DNS:bank.test", "bank.test.", isTrusted: true), .names("DNS:bank.test.", "bank.test", isTrusted: true),
        .names("DNS:bank.test", "www.bank.test"), .names("DNS:www.bank.test", "bank.test"),
        .names("DNS:bank.test", "evil-bank.test"), .names("DNS:other.test,DNS:bank.test", "bank.test", isTrusted: true),
        // RFC 9525 §6.3: the wildcard is the whole left-most label, and stands for one.
        .names("DNS:*.bank.test", "www.bank.test", isTrusted: true), .names("DNS:*.bank.test", "bank.test"),
        .names("DNS:*.bank.test", "a.b.bank.test"), .names("DNS:w*.bank.test", "www.bank.test"),
        .names("DNS:*w.bank.test", "www.bank.test"), .names("DNS:www.*.test", "www.bank.test"),
        .names("DNS:*.*.test", "www.bank.test"), .names("DNS:**.bank.test", "www.bank.test"),
        .names("DNS:*", "localhost"), .names("DNS:*.test", "bank.test"),
        .names("DNS:*.co.uk", "bank.co.uk", curl: .laxer),
        .names("DNS:*.bank.co.uk", "www.bank.co.uk", isTrusted: true),
        // RFC 5890: A-labels are compared as they are; a wildcard within one matches nothing.
        .names("DNS:xn--bcher-kva.test", "xn--bcher-kva.test", isTrusted: true),
        .names("DNS:xn--*.bank.test", "xn--a.bank.test"),
        .names("DNS:*.bank.test", "xn--bcher-kva.bank.test", isTrusted: true),
        // RFC 9525 §2: the common name is no identity.
        CertificateRow("a common name alone", curl: .laxer) { ($0.names, $0.commonName) = ("", "bank.test") },
        CertificateRow("a common name beside an e-mail address", curl: .laxer) {
            ($0.names, $0.commonName) = ("email:a@bank.test", "bank.test")
        },
        CertificateRow("a common name beside an address") {
            ($0.names, $0.commonName) = ("IP:127.0.0.1", "bank.test")
        },
        CertificateRow("a URI") { $0.names = "URI:https://bank.test/" },
    ]

    static let chains: [CertificateRow] = [
        CertificateRow("a good one", isTrusted: true),
        // RFC 5280 §4.1.2.5.
        CertificateRow("expired") { ($0.from, $0.to) = ("20200101000000Z", "20210101000000Z") },
        CertificateRow("not yet valid") { ($0.from, $0.to) = ("20390101000000Z", "20400101000000Z") },
        // RFC 5280 §4.2.1.12.
        CertificateRow("for clients") { $0.usage = "extendedKeyUsage=clientAuth" },
        CertificateRow("for signing code") { $0.usage = "extendedKeyUsage=codeSigning" },
        CertificateRow("for any use") { $0.usage = "extendedKeyUsage=anyExtendedKeyUsage" },
        CertificateRow("without a stated use", isTrusted: true) { $0.usage = "keyUsage=critical,digitalSignature" },
        CertificateRow("an extension that must be understood") { $0.usage = "1.2.3.4=critical,ASN1:UTF8String:x" },
        // Baseline Requirements §6.1.5 and §7.1.3.2; OpenSSL's security level 2.
        CertificateRow("RSA of 1,024 bits") { $0.key = CertificateMaker.rsa(1_024) },
        CertificateRow("RSA of 2,040 bits", curl: .laxer) { $0.key = CertificateMaker.rsa(2_040) },
        CertificateRow("RSA of 2,048 bits", isTrusted: true) { $0.key = CertificateMaker.rsa(2_048) },
        CertificateRow("P-384", isTrusted: true) { $0.key = ["EC", "-pkeyopt", "ec_paramgen_curve:P-384"] },
        // BoringSSL offers no signature with it, nor does Chromium.
        CertificateRow("P-521", curl: .laxer) { $0.key = ["EC", "-pkeyopt", "ec_paramgen_curve:P-521"] },
        CertificateRow("signed with SHA-1") { $0.digest = "sha1" },
        CertificateRow("signed with SHA-384", isTrusted: true) { $0.digest = "sha384" },
        // RFC 5280 §4.2.1.10, §4.2.1.9.
        CertificateRow("an authority for other names") {
            $0.issuer = ["nameConstraints=critical,permitted;DNS:other.test"]
        },
        CertificateRow("an authority for all but these names") {
            $0.issuer = ["nameConstraints=critical,excluded;DNS:bank.test"]
        },
        CertificateRow("an authority for these names", isTrusted: true) {
            $0.issuer = ["nameConstraints=critical,permitted;DNS:bank.test"]
        },
        CertificateRow("an authority for other addresses", "127.0.0.1") {
            ($0.names, $0.issuer) = ("IP:127.0.0.1", ["nameConstraints=critical,permitted;IP:10.0.0.0/255.0.0.0"])
        },
        CertificateRow("an authority for clients") { $0.issuer = ["extendedKeyUsage=clientAuth"] },
        // BoringSSL judges neither, and shows nobody the chain that it has verified.
        CertificateRow("an authority with RSA of 1,024 bits", isTrusted: true, curl: .stricter) {
            ($0.issuer, $0.issuerKey) = ([], CertificateMaker.rsa(1_024))
        },
        CertificateRow("an authority signed with SHA-1", isTrusted: true, curl: .stricter) {
            ($0.issuer, $0.issuerDigest) = ([], "sha1")
        },
        CertificateRow("an authority that is none") { $0.issuer = ["basicConstraints=critical,CA:FALSE"] },
    ]
}

@Suite("Certificates of origins", .serialized)
struct CertificateTests {
    /// curl is asked about the same server: a row says where it is laxer or stricter than we are.
    @Test("the URL's host decides (RFC 9110 §4.3.4, RFC 9525)", arguments: CertificateRow.names + CertificateRow.chains)
    func trusted(_ row: CertificateRow) async throws {
        let maker = try await CertificateMaker()
        let origin = try await ScriptedOrigin.start(tls: try await maker.make(row.wish))
        var map = HostMap()
        map.set(.init(address: "127.0.0.1", port: origin.port), for: row.host, port: 443)
        let dialer = OriginDialer(
            group: MultiThreadedEventLoopGroup.singleton, hostMap: map,
            trust: try OriginTrust(additionalAuthorities: maker.root))
        do {
            try await dialer.connect(.init(host: row.host, port: 443, isSecure: true)) { _, _ in }.close()
            #expect(row.isTrusted)
        } catch {
            #expect(!row.isTrusted, "\(error)")
            #expect([.certificateUntrusted, .tlsFailed].contains((error as? TransportError)?.code), "\(error)")
        }
        let curl = try await askCurl(row.host, origin.port, maker.root)
        switch row.curl {
        case .same: #expect(curl == row.isTrusted)
        case .laxer: #expect(curl && !row.isTrusted)
        case .stricter: #expect(!curl && row.isTrusted)
        }
        await origin.stop()
    }

    private func askCurl(_ host: String, _ port: Int, _ root: String) async throws -> Bool {
        let host = host.contains(":") ? "[\(host)]" : host
        let process = try ChildProcess(
            "/usr/bin/curl",
            [
                "-sS", "--max-time", "600", "--noproxy", "*", "--cacert", root, "--connect-to",
                "::127.0.0.1:\(port)", "https://\(host)/fixed",
            ])
        return await process.ended() == .exited(0)
    }
}
