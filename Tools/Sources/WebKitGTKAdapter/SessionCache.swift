import CacheEngine
import WebVisit

/// The cache that answers the scheme tasks of a session, made by whoever starts the process.
package struct SessionCache: Sendable {
    /// A change that a session may make; parts that are `nil` stay.
    package struct Change: Sendable {
        package var connectivity: Connectivity?
        package var account: String?
        package var rules: String?
    }

    let cache: ResponseCache
    /// The context of a request that begins now.
    let context: @Sendable () -> ExchangeContext
    let change: @Sendable (Change) throws -> Void
    /// Returns once all that has arrived is stored.
    let stop: @Sendable () async -> Void

    package init(
        cache: ResponseCache, context: @escaping @Sendable () -> ExchangeContext,
        change: @escaping @Sendable (Change) throws -> Void, stop: @escaping @Sendable () async -> Void
    ) {
        self.cache = cache
        self.context = context
        self.change = change
        self.stop = stop
    }
}
