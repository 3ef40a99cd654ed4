#if Proxy && canImport(Security)
import Foundation
import Security

extension LarderProxy {
    /// The answer to a question about a certificate from a web view or a URLSession behind the
    /// proxy: the one that the proxy presents for that host is accepted; the system decides about
    /// all others. The authority itself is trusted by nobody. Type-checked and driven with
    /// stand-ins; not yet run on a device.
    public func disposition(
        for challenge: URLAuthenticationChallenge
    ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let space = challenge.protectionSpace
        guard let trust = space.serverTrust else { return (.performDefaultHandling, nil) }
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
        let isOurs = LeafCheck.accepts(
            host: space.host, asksForServerTrust: space.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            isProxy: space.isProxy(), presented: chain?.first.map { Array(SecCertificateCopyData($0) as Data) },
            expected: { try presentedLeafDER(for: $0) })
        return isOurs ? (.useCredential, URLCredential(trust: trust)) : (.performDefaultHandling, nil)
    }
}
#endif
