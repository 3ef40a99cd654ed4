import Locking

/// Bodies one after the other.
final class JoinedBody: BodySource {
    private let rest: LockedBox<[any BodySource]>

    init(_ sources: [any BodySource]) {
        rest = LockedBox(sources)
    }

    func next() async throws -> [UInt8]? {
        while let source = rest.withLock({ $0.first }) {
            if let bytes = try await source.next() { return bytes }
            rest.withLock { if !$0.isEmpty { $0.removeFirst() } }
        }
        return nil
    }

    func cancel() {
        let sources = rest.withLock { sources in
            defer { sources = [] }
            return sources
        }
        for source in sources { source.cancel() }
    }
}
