import HTTPCacheSemantics

/// What is to be stored of a response that is arriving.
struct StoragePlan: Sendable {
    /// The response as it will be found, but for its extent.
    var response: StoredResponse
    /// Where the content that arrives lies in the representation; `nil` for all of it.
    var part: Range<Int64>?
    /// The length of the whole representation, where the origin told it.
    var completeLength: Int64?
    /// Whether a beginning is worth keeping: "If the request method is GET, the response status code is 200 (OK)", or
    /// 206 as if it were (§3.3).
    var mayBeIncomplete = true

    /// How many bytes ought to arrive.
    var expectedLength: Int64? { part.map { $0.upperBound - $0.lowerBound } ?? completeLength }

    /// What the content amounts to once the transfer has ended; `nil` when it is not worth keeping.
    ///
    /// "A cache MUST NOT store incomplete or partial-content responses if it does not support the Range and
    /// Content-Range header fields" (RFC 9111 §3.3): we do, and keep the beginning of a response that broke off where a
    /// strong validator lets us ask for the rest.
    func extent(received: Int64, isWhole: Bool) -> ContentExtent? {
        if isWhole, expectedLength.map({ $0 == received }) ?? true {
            return part.map { ContentExtent($0, completeLength: completeLength) } ?? .complete
        }
        guard mayBeIncomplete, received > 0, received < expectedLength ?? .max, let place = place(of: received),
            Combination.isAllowed(response.fields, with: response.fields)
        else { return nil }
        return ContentExtent(place, completeLength: completeLength)
    }

    /// Where so many bytes that arrived lie in the representation; `nil` where no number says it.
    func place(of received: Int64) -> Range<Int64>? {
        let start = part?.lowerBound ?? 0
        let (end, overflow) = start.addingReportingOverflow(received)
        return overflow || received < 0 ? nil : start..<end
    }
}
