#if Proxy
import CachingProxy
import Foundation
import ProxyHosting

/// A running proxy in front of a ``Larder``, see ``Larder/startProxy(port:intercept:credentials:sendsCacheStatus:)``.
public final class LarderProxy: Sendable {
    /// What clients have to know to be let in; `nil` where everybody is.
    public let credentials: ProxyCredentials?
    /// The certificate of the authority that signs the certificates of intercepted hosts, in DER, as
    /// `SecCertificateCreateWithData` takes it. A web view has to trust it; nobody else should. It is made for the store's
    /// directory, lasts ten years, and is made anew half a year before its end.
    public let authorityCertificateDER: Data
    private let hosted: HostedProxy

    init(_ hosted: HostedProxy, _ credentials: ProxyCredentials?) throws {
        // RFC 7468 §3: base64 between two lines.
        let lines = hosted.authority.certificatePEM.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
        guard let der = Data(base64Encoded: lines.joined()) else {
            throw ProxyError(code: .authorityUnusable, message: "The certificate authority's file is no PEM.")
        }
        authorityCertificateDER = der
        self.hosted = hosted
        self.credentials = credentials
    }

    /// The port that it listens on, at 127.0.0.1.
    public var port: Int { hosted.port }

    /// The certificate of ``authorityCertificateDER`` in PEM (RFC 7468), as programs such as curl take it.
    public var authorityCertificatePEM: String { hosted.authority.certificatePEM }

    /// The certificate that an intercepted host presents, in PEM, for web views that trust single certificates.
    ///
    /// - Throws: What the signing says.
    public func leafCertificatePEM(for host: String) throws -> String {
        try hosted.authority.leafPEM(for: host)
    }

    /// Stops listening and closes the clients' connections. Returns when what has wholly arrived is stored, after 5 s at
    /// the latest. The ``Larder`` goes on working.
    ///
    /// - Parameter grace: How long answers that are under way may take to reach their clients; none unless set.
    public func stop(within grace: Duration = .zero) async {
        await hosted.stop(within: grace)
    }

    /// Returns when the proxy no longer listens.
    public func waitUntilStopped() async {
        await hosted.waitUntilStopped()
    }
}
#endif
