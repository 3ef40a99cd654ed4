import CacheEngine

/// Work that an engine goes on with after it has answered.
enum BackgroundWork {
    /// Returns when there is none.
    static func finished(in cache: ResponseCache) async {
        await cache.waitForBackgroundWork()
    }
}
