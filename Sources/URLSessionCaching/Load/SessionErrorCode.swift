import CacheEngine

/// The numbers of `NSURLErrorDomain` by which an app knows errors of its sessions.
package enum SessionErrorCode {
    package static func number(of error: EngineError) -> Int {
        switch error.code {
        case .timedOut: -1001  // timedOut
        case .disconnected: -1009  // notConnectedToInternet
        // `returnCacheDataDontLoad` fails with this one.
        case .notStored: -1008  // resourceUnavailable
        case .originUntrusted: -1202  // serverCertificateUntrusted
        case .originUnreachable: number(of: error.cause as? TransportError)
        case .originBroken: -1011  // badServerResponse
        case .invalidRequest: -1002  // unsupportedURL
        case .bodyTooLarge: -1103  // dataLengthExceedsMaximum
        case .redirectRefused: -1010  // redirectToNonExistentLocation
        case .contentUnreadable: -1016  // cannotDecodeContentData
        case .cancelled: -999  // cancelled
        default: -1  // unknown
        }
    }

    private static func number(of error: TransportError?) -> Int {
        switch error?.code {
        case .nameNotResolved?: -1003  // cannotFindHost
        case .connectionFailed?: -1004  // cannotConnectToHost
        case .timedOut?: -1001  // timedOut
        default: -1005  // networkConnectionLost
        }
    }
}

/// The longest that nothing may come for a request.
package enum RequestTimeout {
    /// The time-out of a `URLRequest` unless set.
    private static let standard = Duration.seconds(60)
    /// A `Duration` can't hold every `TimeInterval`.
    private static let longest: Double = 10 * 365 * 86_400

    /// - Parameter seconds: The `timeoutInterval` of a `URLRequest`; 60 seconds count where it is 0 or less.
    package static func of(seconds: Double) -> Duration {
        seconds > 0 ? .seconds(min(seconds, longest)) : standard
    }
}
