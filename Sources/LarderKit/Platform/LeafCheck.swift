/// Which certificate a web view that asks about one is told to accept. The system decides about all others, as if
/// nobody had been asked: so a host that is not intercepted keeps the system's trust, and other methods than server
/// trust their usual handling.
enum LeafCheck {
    /// Whether the certificate is the one that the proxy presents for this host.
    ///
    /// - Parameters:
    ///   - asksForServerTrust: Whether the challenge is about a server's certificate.
    ///   - isProxy: Whether it comes from a proxy rather than from the host.
    ///   - presented: The certificate that was presented first in the chain, in DER; `nil` if there is none.
    ///   - expected: The certificate that our proxy has presented for a host, in DER; `nil` if there is none.
    static func accepts(
        host: String, asksForServerTrust: Bool, isProxy: Bool, presented: [UInt8]?,
        expected: (_ host: String) throws -> [UInt8]?
    ) -> Bool {
        guard asksForServerTrust, !isProxy, !host.isEmpty, let presented, !presented.isEmpty else { return false }
        return (try? expected(host.lowercased())) == presented
    }
}
