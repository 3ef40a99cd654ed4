import HTTPTypes

/// What a cache keeps about a response, besides its content: RFC 9111 §3.
public struct StoredResponse: Hashable, Sendable {
    /// The method of the request that the response answered. Only `GET` is stored today.
    public var requestMethod: HTTPRequest.Method
    /// The values of the request fields that the response's `Vary` nominates (§4.1).
    public var nominatedFields: NominatedFields
    /// The status code; 200 also where a partial response turned out to hold everything.
    public var status: HTTPResponse.Status
    /// The fields after ``StorableFields`` removed what must not be stored (§3.1).
    public var fields: HTTPFields
    /// When the request that led to the response left, by the cache's clock (`request_time`, §4.2.3).
    public var requestTime: WallInstant
    /// When the response arrived, or was last validated (`response_time`, §4.2.3).
    public var responseTime: WallInstant

    public init(
        requestMethod: HTTPRequest.Method = .get, nominatedFields: NominatedFields = .init(),
        status: HTTPResponse.Status, fields: HTTPFields, requestTime: WallInstant, responseTime: WallInstant
    ) {
        self.requestMethod = requestMethod
        self.nominatedFields = nominatedFields
        self.status = status
        self.fields = fields
        self.requestTime = requestTime
        self.responseTime = responseTime
    }

    /// The response's `Date`, or the moment it arrived where it has none or an invalid one (RFC 9110 §6.6.1).
    public var date: WallInstant {
        fields[.date].flatMap { HTTPDate.parse($0, now: responseTime) } ?? responseTime
    }
}
