import CacheEngine
import Locking

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
