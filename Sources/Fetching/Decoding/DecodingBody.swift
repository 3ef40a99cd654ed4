import CacheEngine
import Decoding
import Locking

/// A body with its content codings taken off, for consumers that decode none.
///
/// Pieces have at most 64 KiB, and the source is read only when a piece is asked for. An actor, because what it guards
/// belongs to whoever reads: decoding takes place off the main actor, and a second reader would have to wait.
package actor DecodingBody: BodySource {
    private let source: any BodySource
    /// `nil` once the content is complete.
    private var decoding: ContentDecoding?
    private var isSourceComplete = false
    private var failure: (any Error)?
    private let isCancelled = LockedBox(false)

    /// - Parameter isForgiving: See ``ContentDecoding``.
    package init(
        _ source: any BodySource, codings: ContentCodings, limits: DecodingLimits = DecodingLimits(),
        isForgiving: Bool = false
    ) {
        self.source = source
        decoding = ContentDecoding(codings, limits: limits, isForgiving: isForgiving)
    }

    /// - Throws: ``ContentDecodingError``, after which the source is cancelled; the source's errors;
    ///   `CancellationError` after ``cancel()``. The same error from then on.
    package func next() async throws -> [UInt8]? {
        if let failure { throw failure }
        do {
            return try await nextPiece()
        } catch {
            source.cancel()
            decoding = nil
            failure = error
            throw error
        }
    }

    private func nextPiece() async throws -> [UInt8]? {
        while let decoding {
            guard !isCancelled.withLock({ $0 }) else { throw CancellationError() }
            switch try decoding.next() {
            case .piece(let piece): return piece
            case .needsInput:
                if let bytes = try await source.next() {
                    decoding.add(bytes)
                } else {
                    isSourceComplete = true
                    decoding.endInput()
                }
            case .ended: self.decoding = nil
            }
        }
        // A consumer that stores the source while it is read needs its end, padding included.
        while !isSourceComplete { isSourceComplete = try await source.next() == nil }
        return nil
    }

    package nonisolated func cancel() {
        isCancelled.withLock { $0 = true }
        source.cancel()
    }
}

/// Content of which the first bytes have been read already.
package struct ResumedBody: BodySource {
    private let first: LockedBox<[UInt8]>
    private let rest: any BodySource
    private let failure: (any Error)?

    /// - Parameter failure: With which the content broke off behind these bytes.
    package init(_ first: [UInt8], _ rest: any BodySource, failure: (any Error)?) {
        (self.first, self.rest, self.failure) = (LockedBox(first), rest, failure)
    }

    package func next() async throws -> [UInt8]? {
        let bytes = first.withLock { first in
            defer { first = [] }
            return first
        }
        guard bytes.isEmpty else { return bytes }
        if let failure { throw failure }
        return try await rest.next()
    }

    package func cancel() { rest.cancel() }
}
