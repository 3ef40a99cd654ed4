import CacheTesting
import CachingProxy
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import OriginDialing

/// The identity of `shop.test` for origins over TLS, and the trust of clients in it. Made once for all: reading the
/// system's authorities takes long.
package enum SecureOrigin {
    package struct Identity: Sendable {
        package var trust: OriginTrust
        var certificate: NIOSSLCertificateSource
        var key: NIOSSLPrivateKeySource
    }

    private static let identity = Result {
        let folder = try TemporaryDirectory()
        let authority = try CertificateAuthority(directory: folder.path + "/own")
        let file = folder.path + "/own.pem"
        try Data(authority.certificatePEM.utf8).write(to: URL(fileURLWithPath: file))
        let (certificate, key) = try authority.makeIdentity(names: ["shop.test", "other.test"])
        return Identity(
            trust: try OriginTrust(additionalAuthorities: file),
            certificate: .certificate(try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem)),
            key: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)))
    }

    /// Connects to an origin on loopback as `shop.test` and `other.test`.
    package static func dialer(_ port: Int) throws -> OriginDialer {
        OriginDialer(
            group: MultiThreadedEventLoopGroup.singleton,
            hostMap: try HostMap(["shop.test", "other.test"].map { "\($0):443:127.0.0.1:\(port)" }),
            trust: try identity.get().trust)
    }

    /// Listens on loopback.
    ///
    /// - Parameters:
    ///   - protocols: Those of ALPN that the origin chooses from, in the order of its liking.
    ///   - configure: Adds the handlers behind TLS.
    package static func listen(
        _ protocols: [String] = ["h2", "http/1.1"], configure: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> any Channel {
        let identity = try identity.get()
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [identity.certificate], privateKey: identity.key)
        configuration.applicationProtocols = protocols
        configuration.shutdownTimeout = .zero
        let context = try NIOSSLContext(configuration: configuration)
        return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try configure(channel)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }
}
