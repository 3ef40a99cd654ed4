import CacheEngine

/// Translates a session's errors: numbers of `NSURLErrorDomain`, which Apple documents by name.
enum SessionFailure {
    /// - Parameter code: The error's number; 0 for one of another domain.
    static func error(code: Int, host: String, cause: any Error) -> any Error {
        if code == -999 { return CancellationError() }
        let (code, what) = meaning(code)
        return TransportError(code: code, message: "'\(host)' \(what)", cause: cause)
    }

    private static func meaning(_ code: Int) -> (TransportError.Code, String) {
        switch code {
        case -1001: (.timedOut, "did not answer in time.")  // timedOut
        case -1003, -1006: (.nameNotResolved, "has no address.")  // cannotFindHost, dnsLookupFailed
        case -1004: (.connectionFailed, "accepts no connections.")  // cannotConnectToHost
        // notConnectedToInternet, internationalRoamingOff, callIsActive, dataNotAllowed
        case -1009, -1018, -1019, -1020: (.connectionFailed, "can't be reached: the device has no network for it.")
        // serverCertificateHasBadDate, …Untrusted, …HasUnknownRoot, …NotYetValid
        case -1201, -1202, -1203, -1204: (.certificateUntrusted, "has a certificate that is not trusted.")
        // secureConnectionFailed, clientCertificateRejected, clientCertificateRequired
        case -1200, -1205, -1206: (.tlsFailed, "can't be talked to over TLS.")
        // appTransportSecurityRequiresSecureConnection
        case -1022: (.malformedRequest, "is not asked over http: the app's App Transport Security settings forbid it.")
        // badURL, unsupportedURL, requestBodyStreamExhausted
        case -1000, -1002, -1021: (.malformedRequest, "can't be asked for this address or with this content.")
        // badServerResponse, cannotDecodeRawData, cannotDecodeContentData, cannotParseResponse,
        // dataLengthExceedsMaximum
        case -1011, -1015, -1016, -1017, -1103: (.malformedResponse, "sent no valid HTTP response.")
        // networkConnectionLost and the rest: no answer, or a part of one. Not that the network is gone.
        default: (.closedEarly, "closed the connection before its response was complete.")
        }
    }
}
