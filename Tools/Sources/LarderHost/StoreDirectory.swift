import Foundation

/// Where the tool keeps its store unless told otherwise.
public enum StoreDirectory {
    /// `$XDG_CACHE_HOME/larder`, else `~/Library/Caches/larder` on macOS and `~/.cache/larder` elsewhere.
    public static func standard(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        if let cache = environment["XDG_CACHE_HOME"], !cache.isEmpty { return cache + "/larder" }
        let caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?.path
        return (caches ?? NSHomeDirectory() + "/.cache") + "/larder"
    }
}
