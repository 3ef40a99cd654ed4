import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// What was worked out from a stored response, for all the requests that it answers.
final class EntryNotes: Sendable {
    private struct State {
        var fieldsNotReused: Set<HTTPField.Name> = []
        var templates = [AnswerTemplate?](repeating: nil, count: AnswerTemplate.Shape.allCases.count)
        var file: BodyFile?
    }

    let kind: CacheKind
    let terms: ReuseTerms
    private let state = LockedBox(State())

    private init(_ response: StoredResponse, in kind: CacheKind) {
        self.kind = kind
        terms = ReuseTerms(of: response, in: kind)
    }

    /// The notes about an entry; they are made the first time.
    static func of(_ entry: StoredEntry, in kind: CacheKind) -> EntryNotes {
        if let notes = entry.memo.value as? EntryNotes, notes.kind == kind { return notes }
        let notes = EntryNotes(entry.response, in: kind)
        entry.memo.keep(notes)
        return notes
    }

    func template(
        _ shape: AnswerTemplate.Shape, of entry: StoredEntry, without fieldsNotReused: Set<HTTPField.Name>
    ) -> AnswerTemplate {
        state.withLock { state in
            if state.fieldsNotReused != fieldsNotReused {
                state.fieldsNotReused = fieldsNotReused
                for index in state.templates.indices { state.templates[index] = nil }
            }
            if let known = state.templates[shape.rawValue] { return known }
            let template = AnswerTemplate(
                shape, of: entry.response, length: entry.bodyLength.bytes, without: fieldsNotReused)
            state.templates[shape.rawValue] = template
            return template
        }
    }

    /// The body's file, while it is kept open. ``OpenBodies`` sees to it that few are.
    var file: BodyFile? {
        get { state.withLock { $0.file } }
        set { state.withLock { $0.file = newValue } }
    }
}
