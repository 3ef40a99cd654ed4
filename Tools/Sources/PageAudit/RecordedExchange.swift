import CacheEngine
import CacheRules
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import WebVisit

/// One request of a recorded visit, and the response to it. Contents are not kept.
package struct RecordedExchange: Hashable, Sendable {
    package var method: String
    package var url: String
    package var destination: Destination
    package var status: Int
    package var request: HTTPFields
    package var response: HTTPFields
    /// Bytes of content.
    package var size: Int64
    /// When the request left, in milliseconds since the Unix epoch.
    package var start: Double
    /// Milliseconds until the response's head, and until its last byte.
    package var waited: Double
    package var took: Double
    /// Why there was no answer; `nil` where there was one.
    package var failure: String?
    /// The line of `open --json`; `nil` for what a browser has recorded.
    package var line: ExchangeLine?

    /// `nil` for what nobody waited for: it is no part of the visit.
    package init?(_ line: ExchangeLine) {
        guard !line.background, let heads = line.heads else { return nil }
        (method, url, status, size) = (line.method, line.url, line.status, line.bytes)
        destination = Destination(name: line.destination) ?? Destination(rawValue: line.destination) ?? .unknown
        (request, response) = (heads.request, heads.response)
        (waited, took) = (line.millisecondsToHead, line.milliseconds)
        start = heads.ended - line.milliseconds
        noteFailure(line.outcome, line.failure)
        self.line = line
        self.line?.heads = nil
    }

    /// - Parameter outcome: That of ``ExchangeLine``.
    mutating func noteFailure(_ outcome: String?, _ reason: String?) {
        if outcome == ExchangeReport.Outcome.failed.rawValue { failure = reason ?? "It was not answered." }
    }

    package init(
        method: String = "GET", url: String, destination: Destination, status: Int, request: HTTPFields = [:],
        response: HTTPFields, size: Int64, start: Double, waited: Double = 0, took: Double = 0
    ) {
        (self.method, self.url, self.destination, self.status) = (method, url, destination, status)
        (self.request, self.response, self.size, self.start) = (request, response, size, start)
        (self.waited, self.took) = (waited, took)
    }
}
