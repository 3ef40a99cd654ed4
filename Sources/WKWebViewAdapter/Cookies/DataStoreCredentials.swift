#if canImport(WebKit)
import Fetching
import WebKit

/// The passwords that pages of a data store were opened with in scheme modes: web views that share cookies share them.
@MainActor
enum DataStoreCredentials {
    private struct Known {
        weak var store: WKWebsiteDataStore?
        var memory: CredentialMemory
    }

    private static var known: [ObjectIdentifier: Known] = [:]

    /// The one of a data store; made when it is needed first, and forgotten with the store.
    static func memory(of store: WKWebsiteDataStore) -> CredentialMemory {
        known = known.filter { $0.value.store != nil }
        let id = ObjectIdentifier(store)
        if let memory = known[id]?.memory { return memory }
        let memory = CredentialMemory()
        known[id] = Known(store: store, memory: memory)
        return memory
    }
}
#endif
