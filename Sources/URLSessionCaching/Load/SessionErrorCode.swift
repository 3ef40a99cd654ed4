import CacheEngine

/// The numbers of `NSURLErrorDomain` by which an app knows errors of its sessions.
package enum SessionErrorCode {
    package static func number(of error: EngineError) -> Int {
        switch error.code {
        case .timedOut: -1001  // timedOut
        case .disconnected: -1009  // notConnectedToInternet
        // What `returnCacheDataDontLoad` fails with.
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
