import CacheTesting
import CacheEngine
import Foundation
import NIOCore
import NIOEmbedded
import NIOPosix
import NIOSSL
import Testing
import WireSupport

@testable import CachingProxy
@testable import OriginDialing

@Suite("Connections to origins")
struct DialerTests {
    /// What an untrusted certificate is taken for decides whether a stale response may stand in: it never may.
    @Test("an untrusted certificate is told from an origin that does not answer, however early it is known")
    func untrusted() async throws {
        let folder = try TemporaryDirectory()
        let authority = try CertificateAuthority(directory: folder.path + "/other")
        let origin = try await ScriptedOrigin.start(tls: try authority.makeIdentity(names: ["shop.test"]))
        let dialer = OriginDialer(
            group: MultiThreadedEventLoopGroup.singleton,
            hostMap: try HostMap(["shop.test:443:127.0.0.1:\(origin.port)"]), trust: try OriginTrust())
        let endpoint = OriginDialer.Endpoint(host: "shop.test", port: 443, isSecure: true)
        // Beside work that keeps the threads of tasks busy, so that many a handshake has failed before its dialer comes
        // to look.
        let codes = await withTaskGroup(of: TransportError.Code?.self) { group in
            for _ in 0..<120 {
                group.addTask {
                    var random = SystemRandomNumberGenerator()
                    let sum = (0..<200_000).reduce(UInt64(0)) { sum, _ in sum ^ random.next() }
                    return sum == 0 ? nil : .certificateUntrusted
                }
                group.addTask {
                    do {
                        try await dialer.connect(endpoint) { _, _ in }.close()
                        return nil
                    } catch {
                        return (error as? TransportError)?.code
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(
            codes.allSatisfy { $0 == .certificateUntrusted }, "\(codes.filter { $0 != .certificateUntrusted }.count)")
        await origin.stop()
    }

    /// The origin would go on sending what was given up until it reads that.
    @Test("a connection is closed without the other side's close_notify (RFC 8446 §6.1)")
    func closing() throws {
        let folder = try TemporaryDirectory()
        let authority = try CertificateAuthority(directory: folder.path + "/own")
        try Data(authority.certificatePEM.utf8).write(to: URL(fileURLWithPath: folder.path + "/own.pem"))
        let trust = try OriginTrust(additionalAuthorities: folder.path + "/own.pem")
        let loop = EmbeddedEventLoop()
        let client = EmbeddedChannel(
            handler: try NIOSSLClientHandler(context: trust.context, serverHostname: "shop.test"), loop: loop)
        let server = EmbeddedChannel(
            handler: NIOSSLServerHandler(context: try authority.leaf(for: "shop.test").context), loop: loop)
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        server.connect(to: address, promise: nil)
        client.connect(to: address, promise: nil)
        var isNews = true
        while isNews {
            isNews = false
            while let bytes = try client.readOutbound(as: ByteBuffer.self) {
                try server.writeInbound(bytes)
                isNews = true
            }
            while let bytes = try server.readOutbound(as: ByteBuffer.self) {
                try client.writeInbound(bytes)
                isNews = true
            }
        }
        try client.writeOutbound(ByteBuffer(string: "GET"))
        #expect(try client.readOutbound(as: ByteBuffer.self) != nil && client.isActive, "the handshake is done")
        client.close(promise: nil)
        loop.run()
        #expect(!client.isActive && loop.now == NIODeadline.uptimeNanoseconds(0))
        server.close(promise: nil)
    }

    @Test(
        "names below localhost are loopback unless they are mapped (RFC 6761 §6.3)",
        arguments: [
            ("localhost", "localhost"), ("shop.localhost", "localhost"), ("a.b.LOCALHOST", "localhost"),
            ("shop.localhost.", "localhost"), ("localhost.shop.test", "localhost.shop.test"),
            ("notlocalhost", "notlocalhost"), ("mapped.localhost", "10.0.0.1"),
        ])
    func loopback(_ host: String, _ address: String) throws {
        let map = try HostMap(["mapped.localhost:80:10.0.0.1"])
        #expect(map.target(host: host, port: 80).address == address)
    }
}
