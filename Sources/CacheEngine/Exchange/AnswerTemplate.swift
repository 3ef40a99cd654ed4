import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// The head that all answers of one shape from one stored response share.
///
/// A sender may attach the octets of such heads, see ``attach(_:)``; they are released with the response.
package final class AnswerTemplate: Sendable {
    /// Which part of a stored response an answer consists of.
    enum Shape: Int, CaseIterable {
        case whole, headOnly, notModified, part
    }

    /// The shape of an answer, and the part of the stored content that goes with it.
    struct Part {
        var shape: Shape
        /// Empty where the answer has no content.
        var region: Range<Int64> = 0..<0
        /// The value of `Content-Range` in a 206.
        var contentRange: String?

        var hasContent: Bool { shape == .whole || shape == .part }

        /// - Returns: `nil` for an answer that needs a head of its own, such as one in several parts.
        init?(of selection: StoredAnswer.Selection, in entry: StoredEntry, isHead: Bool) {
            switch selection {
            case .notModified: shape = .notModified
            case .content(.whole), .content(.notStored):
                shape = isHead ? .headOnly : .whole
                if !isHead { region = 0..<entry.bodyLength.bytes }
            case .content(.part(let part, let completeLength)):
                guard let location = entry.response.extent.location(of: part) else { return nil }
                (shape, region) = (.part, location)
                contentRange = ContentRange(range: part, completeLength: completeLength).description
            case .noContent, .content(.several), .content(.notSatisfiable): return nil
            }
        }
    }

    /// Complete except for `Age`, and in a 206 for `Content-Range` and `Content-Length`, whose values here are
    /// placeholders.
    package let head: HTTPResponse
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

    /// The value that the sender attached; `nil` at first.
    package var attachment: (any AnyObject & Sendable)? { kept.withLock { $0 } }

    /// Attaches a value in place of the previous one.
    package func attach(_ value: any AnyObject & Sendable) {
        kept.withLock { $0 = value }
    }
}
