/// A server certificate that the web view accepts although no authority vouches for it, for one host.
package struct TrustedLeaf: Hashable, Sendable, Codable {
    /// The host that may present it, without a port.
    package var host: String

    /// The leaf certificate as PEM. No other certificate is accepted for its sake, be it of the same key or issuer.
    package var certificatePEM: String

    /// A certificate for one host.
    package init(host: String, certificatePEM: String) {
        self.host = host
        self.certificatePEM = certificatePEM
    }
}
