import HTTPCacheSemantics
import HTTPTypes

extension WallInstant {
    /// Sun, 06 Nov 1994 08:49:37 GMT, the date of the examples in RFC 9110 §5.6.7.
    static let sample = WallInstant(unixSeconds: 784_111_777)
}

extension StoredResponse {
    static let sampleDate = "Date: Sun, 06 Nov 1994 08:49:37 GMT"

    /// A response to `GET`, asked for and received at ``WallInstant/sample`` unless said otherwise.
    static func sample(
        _ lines: [String], status: Int = 200, requestedAfter: Duration = .zero, receivedAfter: Duration = .zero
    ) -> StoredResponse {
        StoredResponse(
            status: .init(code: status), fields: HTTPFields(lines: lines), requestTime: .sample + requestedAfter,
            responseTime: .sample + receivedAfter)
    }
}
