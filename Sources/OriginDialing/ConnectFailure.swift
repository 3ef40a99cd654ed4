#if Proxy
import CacheEngine
import NIOCore
import NIOPosix
import NIOSSL

/// Turns what the network library reports about a failed connection into a `TransportError` for people.
enum ConnectFailure {
    static func describe(_ error: any Error, _ endpoint: OriginDialer.Endpoint) -> any Error {
        if error is CancellationError || error is TransportError { return error }
        let name = endpoint.description
        if DescriptorShortage.isCause(of: error) {
            return TransportError(
                code: .connectionFailed,
                message: "No connection to '\(name)' could be opened: as many files and sockets are open as may be; "
                    + "raise the limit (ulimit -n).",
                cause: error)
        }
        if let failure = error as? NIOConnectionError {
            if failure.connectionErrors.isEmpty {
                return TransportError(
                    code: .nameNotResolved,
                    message: "The name '\(endpoint.host)' has no address; check its spelling and the network.",
                    cause: error)
            }
            let isTimeout = failure.connectionErrors.contains { isTimedOut($0.error) }
            return unreachable(name, isTimeout: isTimeout, error)
        }
        if isTimedOut(error) { return unreachable(name, isTimeout: true, error) }
        if let failure = error as? OriginIdentityError {
            return TransportError(
                code: .certificateUntrusted,
                message: "The certificate of '\(endpoint.host)' is not trusted: \(failure.reason); have the server "
                    + "present one that names '\(endpoint.host)'.", cause: error)
        }
        if isUntrusted(error) {
            return TransportError(
                code: .certificateUntrusted,
                message: "The certificate of '\(endpoint.host)' is not trusted: it is not valid now or not for "
                    + "servers, or its authority is unknown; check it, or name its authority with --origin-ca.",
                cause: error)
        }
        if error is NIOSSLError || error is NIOSSLExtraError || error is BoringSSLError {
            return TransportError(
                code: .tlsFailed, message: "No secure connection to '\(name)' could be made (\(error)).", cause: error)
        }
        if endpoint.isSecure, case .eof = error as? ChannelError {
            return TransportError(
                code: .closedEarly, message: "'\(name)' closed the connection during the TLS handshake.", cause: error)
        }
        return unreachable(name, isTimeout: false, error)
    }

    private static func unreachable(_ name: String, isTimeout: Bool, _ error: any Error) -> TransportError {
        isTimeout
            ? TransportError(
                code: .timedOut, message: "'\(name)' did not answer in time; check the network.", cause: error)
            : TransportError(
                code: .connectionFailed,
                message: "Nothing answers at '\(name)'; check that the server runs and the network is there.",
                cause: error)
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
