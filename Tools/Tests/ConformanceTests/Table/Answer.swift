/// What the origin says, byte for byte where a row wants it.
///
/// Unless its fields have a `Date`, or it is ``undated()``, an answer is dated with the moment it is given.
struct Answer: Sendable {
    enum Framing: Sendable {
        case length
        /// Says another length than the body has.
        case stating(Int)
        case chunked
        /// Neither length nor chunks: the body ends with the connection (RFC 9112 §6.3).
        case untilClose
    }

    enum Failure: Sendable {
        /// The connection is refused.
        case unreachable
        /// The connection is closed before the head.
        case closesBeforeHead
        /// What comes is no HTTP.
        case garbage
    }

    var version = "HTTP/1.1"
    var status: Int
    /// Field lines, `Name: value`.
    var fields: [String]
    /// `nil` for a text of its own for every scenario and step.
    var body: String?
    var interim: [(status: Int, fields: [String])] = []
    var trailers: [String] = []
    var framing = Framing.length
    var isDated = true
    var honoursRange = false
    /// Closes the connection after so many bytes of the body.
    var cutAfter: Int?
    /// Goes on after so many bytes of the body only when the client has them.
    var pauseAfter: Int?
    /// Closes the connection after the message, which ends with these bytes too many.
    var surplus: String?
    var failure: Failure?

    static func status(_ status: Int, _ fields: String..., body: String? = nil) -> Answer {
        Answer(status: status, fields: fields, body: body)
    }

    static func ok(_ fields: String..., body: String? = nil) -> Answer {
        Answer(status: 200, fields: fields, body: body)
    }

    static func notModified(_ fields: String...) -> Answer {
        Answer(status: 304, fields: fields)
    }

    /// A 206 that holds a part of a text.
    static func partial(_ range: ClosedRange<Int>, of text: String, _ fields: String...) -> Answer {
        let part = String(decoding: Array(text.utf8)[range], as: UTF8.self)
        let contentRange = "Content-Range: bytes \(range.lowerBound)-\(range.upperBound)/\(text.utf8.count)"
        return Answer(status: 206, fields: fields + [contentRange], body: part)
    }

    /// The whole of a text, or the single range of it that the request asks for.
    static func ranged(_ text: String, _ fields: String...) -> Answer {
        Answer(status: 200, fields: fields, body: text, honoursRange: true)
    }

    static let unreachable = failing(.unreachable)
    static let closes = failing(.closesBeforeHead)
    static let garbage = failing(.garbage)

    private static func failing(_ failure: Failure) -> Answer {
        var answer = Answer(status: 0, fields: [])
        answer.failure = failure
        return answer
    }

    func version10() -> Answer { with { $0.version = "HTTP/1.0" } }
    func undated() -> Answer { with { $0.isDated = false } }
    func chunked(trailers: String...) -> Answer { with { ($0.framing, $0.trailers) = (.chunked, trailers) } }
    func untilClose() -> Answer { with { $0.framing = .untilClose } }
    func stating(length: Int) -> Answer { with { $0.framing = .stating(length) } }
    func cut(after count: Int) -> Answer { with { $0.cutAfter = count } }
    func pausing(after count: Int) -> Answer { with { $0.pauseAfter = count } }
    func followed(by surplus: String) -> Answer { with { $0.surplus = surplus } }
    func preceded(by status: Int, _ fields: String...) -> Answer { with { $0.interim.append((status, fields)) } }

    private func with(_ change: (inout Answer) -> Void) -> Answer {
        var copy = self
        change(&copy)
        return copy
    }
}
