/// The origin's credentials for TLS: one leaf for both hosts, with its chain and key.
package struct OriginCertificate: Sendable {
    /// Leaf first, then intermediates, PEM (RFC 7468).
    package var chainPEM: String
    /// The leaf's private key, PEM.
    package var privateKeyPEM: String

    /// Takes PEM text; it is read when the origin starts.
    package init(chainPEM: String, privateKeyPEM: String) {
        self.chainPEM = chainPEM
        self.privateKeyPEM = privateKeyPEM
    }
}
