#if Proxy
import CacheEngine
import NIOCore
import NIOPosix
import NIOSSL

/// Turns what the network library reports about a failed connection into a `TransportError` for people.
enum ConnectFailure {
    static func describe(_ error: any Error, _ endpoint: OriginDialer.Endpoint) -> any Error {
        if error is CancellationError || error is TransportError { return error }
        let (code, message) = meaning(of: error, endpoint)
        return TransportError(code: code, message: message, cause: error)
    }

    private static func meaning(
        of error: any Error, _ endpoint: OriginDialer.Endpoint
    ) -> (TransportError.Code, message: String) {
        let (host, name) = (endpoint.host, endpoint.description)
        if DescriptorShortage.isCause(of: error) {
            return (
                .connectionFailed,
                "No connection to '\(name)' could be opened: as many files and sockets are open as may be; raise the "
                    + "limit (ulimit -n)."
            )
        }
        let attempts = (error as? NIOConnectionError)?.connectionErrors.map(\.error)
        if attempts?.isEmpty == true {
            return (.nameNotResolved, "The name '\(host)' has no address; check its spelling and the network.")
        }
        if (attempts ?? [error]).contains(where: isTimedOut) {
            return (.timedOut, "'\(name)' did not answer in time; check the network.")
        }
        if let failure = error as? OriginIdentityError {
            return (
                .certificateUntrusted,
                "The certificate of '\(host)' is not trusted: \(failure.reason); have the server present one that "
                    + "names '\(host)'."
            )
        }
        if isUntrusted(error) {
            return (
                .certificateUntrusted,
                "The certificate of '\(host)' is not trusted: it is not valid now or not for servers, or its authority "
                    + "is unknown; check it, or name its authority with --origin-ca."
            )
        }
        if error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError {
            return (.tlsFailed, "No secure connection to '\(name)' could be made (\(error)).")
        }
        if endpoint.isSecure, case .eof = error as? ChannelError {
            return (.closedEarly, "'\(name)' closed the connection during the TLS handshake.")
        }
        return (
            .connectionFailed, "Nothing answers at '\(name)'; check that the server runs and the network is there."
        )
    }

    private static func isTimedOut(_ error: any Error) -> Bool {
        if case .connectTimeout = error as? ChannelError { return true }
        return false
    }

    private static func isUntrusted(_ error: any Error) -> Bool {
        if case .handshakeFailed(let reason) = error as? NIOSSLError {
            return "\(reason)".contains("CERTIFICATE_VERIFY_FAILED")
        }
        return false
    }
}
#endif
