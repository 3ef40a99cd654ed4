import HTTPCacheSemantics

/// How a response that is arriving is to be stored.
struct StoragePlan: Sendable {
    /// The response as it will be stored, except for its extent.
    var response: StoredResponse
    /// Where the content that arrives lies in the representation; `nil` for all of it.
    var part: Range<Int64>?
    /// The length of the whole representation in bytes, if the origin stated it.
    var completeLength: Int64?
    /// Whether an incomplete response may be stored: "If the request method is GET, the response status code is 200
    /// (OK)", or 206 as if it were (§3.3).
    var mayBeIncomplete = true

    /// How many bytes should arrive; `nil` if unknown.
    var expectedLength: Int64? { part.map { $0.upperBound - $0.lowerBound } ?? completeLength }

    /// The extent of the content once the transfer has ended; `nil` when it is not worth keeping.
    ///
    /// "A cache MUST NOT store incomplete or partial-content responses if it does not support the Range and
    /// Content-Range header fields" (RFC 9111 §3.3): this cache does, and keeps the beginning of a response that broke
    /// off if a strong validator lets it ask for the rest.
    func extent(received: Int64, isWhole: Bool) -> ContentExtent? {
        if isWhole, expectedLength.map({ $0 == received }) ?? true {
            return part.map { ContentExtent($0, completeLength: completeLength) } ?? .complete
        }
        guard mayBeIncomplete, received > 0, received < expectedLength ?? .max, let place = place(of: received),
            Combination.isAllowed(response.fields, with: response.fields)
        else { return nil }
        return ContentExtent(place, completeLength: completeLength)
    }

    /// Where the received bytes lie in the representation; `nil` if their end overflows.
    func place(of received: Int64) -> Range<Int64>? {
        let start = part?.lowerBound ?? 0
        let (end, overflow) = start.addingReportingOverflow(received)
        return overflow || received < 0 ? nil : start..<end
    }
}
