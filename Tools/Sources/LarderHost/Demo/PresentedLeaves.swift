import Foundation
import HTTPCacheSemantics
import Locking
import NIOCore
import NIOPosix
import NIOSSL
import OriginDialing
import WebVisit

/// The certificates that origins present, verified as Larder verifies them: a web view that connects to them itself
/// knows no authority of `--origin-ca`, and takes leaves alone.
enum PresentedLeaves {
    /// - Parameters:
    ///   - url: The page. Its host is asked, and each that the map names; a host that does not answer is left out.
    ///   - entries: See `HostMap`.
    ///   - authorities: PEM file with authorities of the origins; without it nobody is asked.
    static func of(_ url: String, entries: [String], authorities: String?) async throws -> [TrustedLeaf] {
        guard let authorities, let parts = TargetURI.split(url), parts.scheme == "https",
            let page = OriginDialer.Endpoint(authority: parts.authority, isSecure: true)
        else { return [] }
        let dialer = OriginDialer(
            group: MultiThreadedEventLoopGroup.singleton, hostMap: try HostMap(entries),
            trust: try OriginTrust(additionalAuthorities: authorities))
        let mapped = entries.compactMap { entry in
            let parts = entry.split(separator: ":", maxSplits: 2)
            return OriginDialer.Endpoint(authority: parts.prefix(2).joined(separator: ":"), isSecure: true)
        }
        var leaves: [TrustedLeaf] = []
        for endpoint in Set([page] + mapped) {
            if let leaf = try? await leaf(of: endpoint, by: dialer) { leaves.append(leaf) }
        }
        return leaves
    }

    private static func leaf(
        of endpoint: OriginDialer.Endpoint, by dialer: OriginDialer
    ) async throws -> TrustedLeaf? {
        let channel = try await dialer.connect(endpoint) { _, _ in }
        defer { channel.close(promise: nil) }
        guard let certificate = try await channel.nioSSL_peerCertificate().get() else { return nil }
        let base64 = Data(try certificate.toDERBytes()).base64EncodedString(
            options: [.lineLength64Characters, .endLineWithLineFeed])
        return TrustedLeaf(
            host: endpoint.host,
            certificatePEM: "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n")
    }
}
