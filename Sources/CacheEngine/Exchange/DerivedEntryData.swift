import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// Data derived from a stored response once, for all the requests that it answers.
final class DerivedEntryData: Sendable {
    private struct State {
        var fields: AnswerFields?
        var templates = [AnswerTemplate?](repeating: nil, count: AnswerTemplate.Shape.allCases.count)
        var file: BodyFile?
        var reuses = 0
        var isSampled = false
    }

    let kind: CacheKind
    let freshness: FreshnessInfo
    private let state = LockedBox(State())

    private init(_ response: StoredResponse, in kind: CacheKind) {
        self.kind = kind
        freshness = FreshnessInfo(of: response, in: kind)
    }

    /// The derived data of an entry, made at the first call.
    static func of(_ entry: StoredEntry, in kind: CacheKind) -> DerivedEntryData {
        if let derived = entry.attachment.value as? DerivedEntryData, derived.kind == kind { return derived }
        let derived = DerivedEntryData(entry.response, in: kind)
        entry.attachment.keep(derived)
        return derived
    }

    func template(_ shape: AnswerTemplate.Shape, of entry: StoredEntry, _ fields: AnswerFields) -> AnswerTemplate {
        state.withLock { state in
            if state.fields != fields {
                state.fields = fields
                for index in state.templates.indices { state.templates[index] = nil }
            }
            if let known = state.templates[shape.rawValue] { return known }
            let template = AnswerTemplate(shape, of: entry.response, length: entry.bodyLength.bytes, fields)
            state.templates[shape.rawValue] = template
            return template
        }
    }

    /// How many uses pass until the content under a hashed name is compared again.
    private static let usesPerSample = 200
    /// How old the content may become until it is compared again, in seconds.
    private static let sampleAge: Int64 = 86_400

    /// Counts a use of a response under a name with a content hash.
    ///
    /// - Returns: Whether the response is due to be compared with the origin's.
    func isSampleDue(age: Int64) -> Bool {
        state.withLock { state in
            state.reuses += 1
            if state.reuses % Self.usesPerSample == 0 { return true }
            guard age >= Self.sampleAge, !state.isSampled else { return false }
            state.isSampled = true
            return true
        }
    }

    /// Whether ``isSampleDue(age:)`` would say so now. Counts nothing.
    func isNextSampled(age: Int64) -> Bool {
        state.withLock { ($0.reuses + 1) % Self.usesPerSample == 0 || age >= Self.sampleAge && !$0.isSampled }
    }

    /// The entry's content if it came with the head or its file is kept open, and has the noted length; `nil`
    /// otherwise. Takes no entry, so that a hit need not copy it.
    func contentAtHand(_ inlineBody: [UInt8]?, of length: ByteCount) -> StoredContent? {
        if let inlineBody { return Int64(inlineBody.count) == length.bytes ? .bytes(inlineBody) : nil }
        return file.flatMap { $0.length == length && $0.isWhole ? .file($0) : nil }
    }

    /// The body's file, while it is kept open. ``OpenBodies`` limits how many are.
    var file: BodyFile? {
        get { state.withLock { $0.file } }
        set { state.withLock { $0.file = newValue } }
    }
}

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
        var contentRange: String?

        var hasContent: Bool { shape == .whole || shape == .part }

        /// - Returns: `nil` for an answer that needs a head of its own, such as a 416.
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
            case .noContent, .content(.notSatisfiable): return nil
            }
        }
    }

    /// Complete except for `Age`, and in a 206 for `Content-Range` and `Content-Length`, whose values here are
    /// placeholders.
    package let head: HTTPResponse
    private let kept = LockedBox<(any AnyObject & Sendable)?>(nil)

    init(_ shape: Shape, of response: StoredResponse, length: Int64, _ fields: AnswerFields) {
        let selection: StoredAnswer.Selection =
            switch shape {
            case .whole, .headOnly: .content(.whole)
            case .notModified: .notModified
            case .part: .content(.part(0..<1, completeLength: nil))
            }
        head =
            StoredAnswer(
                response, length: length, selection: selection, isHead: shape == .headOnly, age: 0, fields
            ).head
    }

    /// The value that the sender attached; `nil` at first.
    package var attachment: (any AnyObject & Sendable)? { kept.withLock { $0 } }

    package func attach(_ value: any AnyObject & Sendable) {
        kept.withLock { $0 = value }
    }
}

/// The body files that are kept open for the next request, up to a limit.
///
/// The derived data of an entry holds the file, so that it is closed when the entry's response is replaced or
/// forgotten.
final class OpenBodies: Sendable {
    /// Far below the number of files that a process may have open, and enough for the large files of a page.
    static let limit = 64

    private struct Slot: Sendable {
        weak var derived: DerivedEntryData?
    }

    private let slots = LockedBox<[Slot]>([])

    /// Keeps a file open. Beyond the limit, the file that was opened first is closed.
    func keep(_ file: BodyFile, with derived: DerivedEntryData) {
        guard derived.file == nil else { return }
        derived.file = file
        let surplus = slots.withLock { slots -> DerivedEntryData? in
            if slots.count >= Self.limit { slots.removeAll { $0.derived == nil } }
            let first = slots.count >= Self.limit ? slots.removeFirst().derived : nil
            slots.append(Slot(derived: derived))
            return first
        }
        surplus?.file = nil
    }
}
