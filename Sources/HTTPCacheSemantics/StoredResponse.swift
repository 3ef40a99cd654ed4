import HTTPTypes

/// What a cache keeps about a response, besides its content: RFC 9111 §3.
public struct StoredResponse: Hashable, Sendable {
    /// The values of the request fields that the response's `Vary` nominates (§4.1).
    public var nominatedFields: NominatedFields
    /// The status code; 200 also where partial responses turned out to hold everything.
    public var status: HTTPResponse.Status
    /// The fields after ``StorableFields`` removed what must not be stored (§3.1).
    public var fields: HTTPFields
    /// When the request that led to the response left, by the cache's clock (`request_time`, §4.2.3).
    public var requestTime: WallInstant
    /// When the response arrived, or was last validated (`response_time`, §4.2.3).
    public var responseTime: WallInstant
    /// Which part of the representation is stored (§3.3, §3.4).
    public var extent: ContentExtent
    /// The origin has shown that it has another representation by now, so this one needs validation whatever its
    /// fields say (§4.3.5). It still answers where any stored response does, such as without a network.
    public var needsValidation: Bool
    /// Names that rules put on the response, by which it can be found and removed; no part of HTTP.
    public var tags: [String]
    /// Until when a rule lets the response answer without a validation while there is a network; `nil` for no such
    /// limit. Past it the response is the first to go when space is needed; no part of HTTP.
    public var expires: WallInstant?

    public init(
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

    /// The response's `Date`, or the moment it arrived where it has none or an invalid one (RFC 9110 §6.6.1).
    public var date: WallInstant {
        fields.lines(.date).combined.flatMap { HTTPDate.parse($0, now: responseTime) } ?? responseTime
    }
}
