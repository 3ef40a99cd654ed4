import HTTPTypes

/// What an origin does in answer to a request, in a form that a socket or a fake session can play.
///
/// After the last step the response is complete, unless a step says otherwise.
public enum OriginStep: Sendable {
    /// How a receiver finds the end of the content, RFC 9112 §6.3.
    public enum Framing: Hashable, Sendable {
        /// By the stated length in bytes.
        case length(Int64)
        /// By the last chunk.
        case chunked
        /// There is no content, whatever the fields say: an answer to HEAD, a 204 or a 304.
        case empty
    }

    /// An interim response, RFC 9110 §15.2.
    case interim(Int, HTTPFields = [:])
    /// The final head. The fields lack those of the framing, but for ``Framing/empty``.
    case head(Int, HTTPFields = [:], Framing)
    case bytes([UInt8])
    /// So many zeros, sent as fast as they are taken.
    case zeros(Int64)
    /// Fields after the content; last.
    case trailers(HTTPFields)
    /// The connection ends here, whatever was announced.
    case breakOff
    /// Nothing more is sent, and the connection stays.
    case silence
}

/// A request as an origin received it.
public struct ReceivedRequest: Sendable {
    public var method: String
    /// Path and query.
    public var target: String
    public var fields: HTTPFields
    /// As far as it has come.
    public var content: [UInt8]
    /// Whether all of the content has come.
    public var isComplete: Bool

    public init(
        method: String, target: String, fields: HTTPFields, content: [UInt8] = [], isComplete: Bool = true
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.content = content
        self.isComplete = isComplete
    }
}
