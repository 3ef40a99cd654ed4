import HTTPCacheSemantics
import HTTPTypes
import Locking

/// The head that all answers of one shape from one stored response have in common.
///
/// Who sends such heads often may keep beside it what they are on the wire; that goes when the response goes,
/// and the last request that is remembered with it (``StandingAnswer``).
public final class AnswerTemplate: Sendable {
    /// What of a stored response an answer hands on.
    enum Shape: Int, CaseIterable {
        case whole, headOnly, notModified, part
    }

    /// Complete but for `Age`, and in a 206 for `Content-Range` and `Content-Length`: what they say here means nothing.
    public let head: HTTPResponse
    private let kept = LockedBox<(any AnyObject & Sendable)?>(nil)

    init(_ shape: Shape, of response: StoredResponse, length: Int64, without fieldsNotReused: Set<HTTPField.Name>) {
        let selection: StoredAnswer.Selection =
            switch shape {
            case .whole, .headOnly: .content(.whole)
            case .notModified: .notModified
            case .part: .content(.part(0..<1, completeLength: nil))
            }
        head =
            StoredAnswer(
                response, length: length, selection: selection, isHead: shape == .headOnly, age: 0, boundary: "",
                without: fieldsNotReused
            ).head
    }

    /// What the sender keeps; `nil` at first.
    public var attachment: (any AnyObject & Sendable)? { kept.withLock { $0 } }

    /// Keeps a value in the place of the one before.
    public func attach(_ value: any AnyObject & Sendable) {
        kept.withLock { $0 = value }
    }
}
