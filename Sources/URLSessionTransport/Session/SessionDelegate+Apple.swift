#if canImport(Network)
import CacheEngine
import Foundation

// Events that Foundation on Linux does not tell.
extension SessionDelegate {
    /// Before these systems interim responses are not told.
    @available(iOS 17.0, macOS 14.0, *)
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) {
        exchange(of: task)?.receivedInterim(status: response.statusCode, fields: HeadFields.of(response))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        guard let last = metrics.transactionMetrics.last else { return }
        var told = TransportMetrics()
        told.networkProtocol = last.networkProtocolName
        told.isReusedConnection = last.isReusedConnection
        told.nameLookup = Self.time(from: last.domainLookupStartDate, to: last.domainLookupEndDate)
        told.connecting = Self.time(from: last.connectStartDate, to: last.connectEndDate)
        told.securing = Self.time(from: last.secureConnectionStartDate, to: last.secureConnectionEndDate)
        told.waiting = Self.time(from: last.requestEndDate, to: last.responseStartDate)
        told.transferredBytes = last.countOfResponseBodyBytesReceived
        exchange(of: task)?.received(told)
    }

    /// To the microsecond; `nil` for what is no length of time, or longer than a year.
    private static func time(from start: Date?, to end: Date?) -> Duration? {
        guard let start, let end else { return nil }
        let seconds = end.timeIntervalSince(start)
        guard seconds >= 0, seconds < 31_536_000 else { return nil }
        return .microseconds(Int64(seconds * 1_000_000))
    }
}

extension URLSessionConfiguration {
    /// The loader that asks the classes of `protocolClasses`; the newer one does not (expo/expo PR 49324).
    package func loadThroughProtocols() {
        if #available(iOS 18.4, macOS 15.4, *) { usesClassicLoadingMode = true }
    }

    /// The loader that takes content in chunks without their end for an error, as RFC 9112 §8 wants it; the classic one
    /// takes such content for whole (expo/expo PR 49324, Apple's FB24495140).
    func noticeTruncation() {
        if #available(iOS 18.4, macOS 15.4, *) { usesClassicLoadingMode = false }
    }
}
#endif
