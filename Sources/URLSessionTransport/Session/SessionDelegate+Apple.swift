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
        registry.exchange(task.taskIdentifier)?.receivedInterim(
            status: response.statusCode, fields: HeadFields.of(response))
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
        registry.exchange(task.taskIdentifier)?.received(told)
    }

    private static func time(from start: Date?, to end: Date?) -> Duration? {
        guard let start, let end else { return nil }
        return MetricDuration.of(seconds: end.timeIntervalSince(start))
    }
}
#endif
