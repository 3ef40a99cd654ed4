#if Proxy
import CachingProxy
import Locking

/// A running proxy in front of a ``Larder``, see
/// ``Larder/startProxy(port:intercept:credentials:sendsCacheStatus:secrets:)``.
public final class LarderProxy: Sendable {
    /// The user name and password that clients need; `nil` where everybody is let in.
    public let credentials: ProxyCredentials?
    private let hosted: HostedProxy
    private let portListeners = Broadcast<Int>()

    init(_ hosted: HostedProxy, _ credentials: ProxyCredentials?) {
        self.hosted = hosted
        self.credentials = credentials
    }

    /// The port that it listens on, at 127.0.0.1. It can change when the app resumes, see ``portChanges``.
    public var port: Int { hosted.port }

    /// The new port, each time that it changes: iOS takes a listener's port back while the app is suspended, and when
    /// the app resumes another program may have it. Set the web view's `proxyConfigurations` anew then, before its next
    /// load. Credentials and authority stay as they are. Each call makes a sequence of its own, which has the last
    /// change only.
    public var portChanges: AsyncStream<Int> { portListeners.stream(.bufferingNewest(1)) }

    /// Looks whether clients still reach the proxy, and listens again if not: on the same port, or on a free one if
    /// that is taken. Done for you when the app enters the foreground on iOS and by ``Larder/resume()``; call it where
    /// you have to know the result before a load.
    ///
    /// - Returns: Whether ``port`` has changed.
    /// - Throws: `ProxyError`: no port can be listened on. The next call tries again.
    @discardableResult
    package func checkListener() async throws -> Bool {
        let hasChanged = try await hosted.listenAgainIfNeeded()
        if hasChanged { portListeners.yield(port) }
        return hasChanged
    }

    func larderDidResume() {
        // A failure is retried when the app resumes the next time.
        Task { try? await checkListener() }
    }

    /// The certificate of the authority that signs those of intercepted hosts, in PEM (RFC 7468), as programs such as
    /// curl take it. A web view has to trust it; nobody else should. It is made for the store's directory, lasts ten
    /// years, and is made anew half a year before its end.
    public var authorityCertificatePEM: String { hosted.authority.certificatePEM }

    /// The certificate that was presented for a host, in DER, as `SecCertificateCopyData` has it. None is made for a
    /// host that a web view names.
    func presentedLeafDER(for host: String) throws -> [UInt8]? { try hosted.authority.knownLeafDER(for: host) }

    /// Stops listening and closes the clients' connections. Returns when what has wholly arrived is stored, after 20 s
    /// at the latest. The ``Larder`` goes on working.
    ///
    /// - Parameter grace: How long answers that are under way may take to reach their clients; none unless set.
    public func stop(within grace: Duration = .zero) async {
        await hosted.stop(within: grace)
    }
}
#endif
