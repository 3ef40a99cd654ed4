#if canImport(WebKit)
import CacheEngine
import Foundation
import HTTPCacheSemantics
import WebKit

/// The data that the web views of one data store keep, for `Larder.clear(_:and:in:since:)`.
package struct WebViewData: WebsiteDataStore {
    private let store: WKWebsiteDataStore

    @MainActor
    package init(_ store: WKWebsiteDataStore) { self.store = store }

    @MainActor
    package func removeData(of kinds: Set<WebsiteDataKind>, host: String?, since: WallInstant?) async {
        let date = since.map { Date(timeIntervalSince1970: $0.sinceEpoch / .seconds(1)) } ?? .distantPast
        let types = Set(kinds.map(\.dataType))
        // Losing cookies signs a user out; a remembered password must not sign them in again.
        if kinds.contains(.cookies) { DataStoreCredentials.memory(of: store).removeAll() }
        await withCheckedContinuation { continuation in
            guard let host else {
                return store.removeData(ofTypes: types, modifiedSince: date) { continuation.resume() }
            }
            store.fetchDataRecords(ofTypes: types) { [store] records in
                let own = records.filter { host == $0.displayName || host.hasSuffix("." + $0.displayName) }
                store.removeData(ofTypes: types, for: own) { continuation.resume() }
            }
        }
    }
}

extension WebsiteDataKind {
    /// WebKit's name.
    fileprivate var dataType: String {
        switch self {
        case .cookies: WKWebsiteDataTypeCookies
        case .diskCache: WKWebsiteDataTypeDiskCache
        case .memoryCache: WKWebsiteDataTypeMemoryCache
        case .sessionStorage: WKWebsiteDataTypeSessionStorage
        case .localStorage: WKWebsiteDataTypeLocalStorage
        case .indexedDB: WKWebsiteDataTypeIndexedDBDatabases
        case .fetchCache: WKWebsiteDataTypeFetchCache
        case .serviceWorkers: WKWebsiteDataTypeServiceWorkerRegistrations
        }
    }
}
#endif
