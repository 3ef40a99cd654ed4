import HTTPTypes

/// A stored response without its content, RFC 9111 §3.
package struct StoredResponse: Hashable, Sendable {
    /// The values of the request fields that the response's `Vary` nominates (§4.1).
    package var nominatedFields: NominatedFields
    /// The status code; 200 also for partial responses that together hold the whole representation.
    package var status: HTTPResponse.Status
    /// The fields after ``StorableFields`` removed what must not be stored (§3.1).
    package var fields: HTTPFields
    /// When the request for the response left, by the cache's clock (`request_time`, §4.2.3).
    package var requestTime: WallInstant
    /// When the response arrived, or was last validated (`response_time`, §4.2.3).
    package var responseTime: WallInstant
    /// Which part of the representation is stored (§3.3, §3.4).
    package var extent: ContentExtent
    /// Whether the origin has shown that it has another representation by now: this one needs validation whatever its
    /// fields say (§4.3.5). It still answers wherever a stale response may, for example without a network.
    package var needsValidation: Bool
    /// Names from rules, by which the response can be found and removed; not part of HTTP.
    package var tags: [String]
    /// The time until which a rule lets the response answer without validation while there is a network; `nil` for no
    /// limit. After it the response is evicted first when space is needed. Not part of HTTP.
    package var expires: WallInstant?

    package init(
        nominatedFields: NominatedFields = .init(), status: HTTPResponse.Status, fields: HTTPFields,
        requestTime: WallInstant, responseTime: WallInstant, extent: ContentExtent = .complete,
        needsValidation: Bool = false, tags: [String] = [], expires: WallInstant? = nil
    ) {
        self.tags = tags
        self.expires = expires
        self.extent = extent
        self.needsValidation = needsValidation
        self.nominatedFields = nominatedFields
        self.status = status
        self.fields = fields
        self.requestTime = requestTime
        self.responseTime = responseTime
    }

    /// The response's `Date`, or the time of its arrival if `Date` is absent or invalid (RFC 9110 §6.6.1).
    package var date: WallInstant {
        fields.combined(.date).flatMap { HTTPDate.parse($0, now: responseTime) } ?? responseTime
    }
}
