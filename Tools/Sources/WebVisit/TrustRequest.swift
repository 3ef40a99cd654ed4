/// Asks the web view, during a visit, to accept one more certificate.
///
/// Answered by ``VisitEvent/trusted(id:)`` when the process that opens connections knows of it; a proxy holds back its
/// TLS handshake until then.
package struct TrustRequest: Hashable, Sendable, Codable {
    /// The number that comes back in the answer.
    package var id: Int

    /// The host that may present the certificate, without a port.
    package var host: String

    /// The leaf certificate as PEM.
    package var certificatePEM: String

    /// A request to accept a certificate for one host.
    package init(id: Int, host: String, certificatePEM: String) {
        self.id = id
        self.host = host
        self.certificatePEM = certificatePEM
    }
}
