import Testing

/// Something that a store under stress did, and should not have done.
struct Complaint: Sendable, CustomStringConvertible {
    enum Kind: String, CaseIterable, Sendable {
        /// Bytes or fields that are no stored response, whole.
        case wrongBytes = "BAD"
        /// A response that was replaced or removed.
        case old
        /// A response that was never stored there.
        case foreign
        /// Nothing, where a response has to be.
        case lost
        /// `usage()` gives other numbers than there are entries.
        case miscounted = "MISCOUNT"
        /// `verify` found something.
        case unsound = "UNSOUND"
        /// Files that no entry needs.
        case leftover = "LEFTOVER"
        case unwritable = "UNWRITABLE"
        case unopened
        case unclean
        case failedChange
        case failedLook
        /// A line that is none of the program's: a crash.
        case stray
        /// The process ended otherwise than it should.
        case ended
    }

    var kind: Kind
    var text: String

    var description: String { "\(kind): \(text)" }
}

extension [Complaint] {
    /// Records what is not allowed: how often each kind came, and the first of each.
    func expectNone(
        but allowed: Set<Complaint.Kind> = [], _ circumstances: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let refused = filter { !allowed.contains($0.kind) }
        guard !refused.isEmpty else { return }
        let kinds = Dictionary(grouping: refused, by: \.kind).map { "\($1.count) × \($1[0])" }.sorted()
        // On lines of their own: `scripts/test` leaves out the line on which a comment begins.
        Issue.record("\n  \(circumstances)\n  \(kinds.joined(separator: "\n  "))", sourceLocation: sourceLocation)
    }
}
