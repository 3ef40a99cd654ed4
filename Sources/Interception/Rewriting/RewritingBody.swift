import CacheEngine
import Locking
import PageRewriting

/// Content whose addresses are turned while it is read. An actor, because what it guards belongs to whoever reads.
actor RewritingBody: BodySource {
    private let source: any BodySource
    /// `nil` once the content is complete.
    private var rewriter: PageRewriter?
    private let noteHashed: @Sendable ([(address: String, base: String?)]) -> Void

    /// - Parameter noteHashed: Told of what a document names with a hash, before the bytes that name it are given out.
    init(
        _ source: any BodySource, _ rewriter: PageRewriter,
        noteHashed: @escaping @Sendable ([(address: String, base: String?)]) -> Void
    ) {
        (self.source, self.rewriter, self.noteHashed) = (source, rewriter, noteHashed)
    }

    func next() async throws -> [UInt8]? {
        while rewriter != nil {
            let piece = try await source.next()
            let output = piece.map { rewriter?.rewrite($0) ?? [] } ?? rewriter?.finish() ?? []
            if let hashed = rewriter?.takeHashedAddresses(), !hashed.isEmpty { noteHashed(hashed) }
            if piece == nil { rewriter = nil }
            if !output.isEmpty { return output }
        }
        return nil
    }

    nonisolated func cancel() {
        source.cancel()
    }
}
