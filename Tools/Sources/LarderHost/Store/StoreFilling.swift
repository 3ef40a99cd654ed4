import CacheEngine
import CacheRules
import HTTPCacheSemantics
import Preloading

/// Fills a store from a seed, without a network.
package struct StoreFilling: Sendable {
    private let local: LocalCache

    /// Opens the store, and makes it where there is none.
    ///
    /// - Throws: `StoreError`.
    package init(directory: String, rules: RuleList) throws {
        var setup = CacheSetup(storeDirectory: directory)
        setup.rules = rules
        local = try LocalCache(setup)
    }

    /// - Throws: `SeedError`.
    package func fill(from seed: Seed, account: String) async throws -> SeedSummary {
        let configuration = PreloadConfiguration(connectivity: { .disconnected }, partition: account)
        let summary = try await SeedFilling(seed, cache: local.cache, configuration: configuration).run()
        await local.cache.waitForBackgroundWork()
        return summary
    }
}
