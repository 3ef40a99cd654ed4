#if Proxy
import NIOSSL

/// Whose certificates an origin may present: the system's trust, and optionally more. It can't be switched off.
///
/// TLS 1.2 at least: 1.0 and 1.1 must not be used (RFC 8996), and behind an intercepted connection no client could see
/// that its origin speaks nothing better.
package struct OriginTrust: Sendable {
    let context: NIOSSLContext

    /// - Parameter additionalAuthorities: A PEM file with authorities to trust besides the system's.
    /// - Throws: ``OriginTrustError`` when the file can't be read.
    package init(additionalAuthorities file: String? = nil) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        // The chain alone, without the host: `OriginIdentity` checks that.
        configuration.certificateVerification = .noHostnameVerification
        configuration.applicationProtocols = ["http/1.1"]
        // RFC 8446 §6.1: neither side has to wait for the other's close_notify. An origin whose answer was given up would go on
        // sending it meanwhile.
        configuration.shutdownTimeout = .zero
        if let file {
            do {
                configuration.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(file))]
            } catch {
                throw OriginTrustError(file: file)
            }
        }
        context = try NIOSSLContext(configuration: configuration)
    }
}

/// An authorities file that can't be used.
package struct OriginTrustError: Error, Hashable, Sendable, CustomStringConvertible {
    package var file: String

    package var description: String {
        "The authorities file '\(file)' can't be read; give a PEM file with one or more certificates."
    }
}
#endif
