/// What the origin shows in TLS: one leaf for both hosts, with its chain and key.
public struct OriginCertificate: Sendable {
    /// Leaf first, then intermediates, PEM (RFC 7468).
    public var chainPEM: String
    /// The leaf's private key, PEM.
    public var privateKeyPEM: String

    /// Takes PEM text; it is read when the origin starts.
    public init(chainPEM: String, privateKeyPEM: String) {
        self.chainPEM = chainPEM
        self.privateKeyPEM = privateKeyPEM
    }
}
