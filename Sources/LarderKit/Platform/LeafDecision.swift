/// The answer to a web view that asks about a certificate.
enum LeafDecision: Hashable, Sendable {
    /// The certificate is the one that the proxy presents for this host.
    case useCredential
    /// The system decides, as if nobody had been asked: so a host that is not intercepted keeps the system's trust, and
    /// other methods than server trust their usual handling.
    case leaveToSystem

    /// - Parameters:
    ///   - asksForServerTrust: Whether the challenge is about a server's certificate.
    ///   - isProxy: Whether it comes from a proxy rather than from the host.
    ///   - presented: The certificate that was presented first in the chain, in DER; `nil` if there is none.
    ///   - expected: The certificate that our proxy has presented for a host, in DER; `nil` if there is none.
    static func decide(
        host: String, asksForServerTrust: Bool, isProxy: Bool, presented: [UInt8]?,
        expected: (_ host: String) throws -> [UInt8]?
    ) -> LeafDecision {
        guard asksForServerTrust, !isProxy, !host.isEmpty, let presented, !presented.isEmpty else {
            return .leaveToSystem
        }
        guard let expected = try? expected(host.lowercased()), expected == presented else { return .leaveToSystem }
        return .useCredential
    }
}
