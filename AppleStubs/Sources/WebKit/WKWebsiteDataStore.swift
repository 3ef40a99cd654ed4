import AppleFoundation
import Network

// c:objc(cs)WKWebsiteDataStore | iOS 9.0, macOS 10.11 | MainActor | D
@MainActor
public final class WKWebsiteDataStore: NSObject {
    /// Not in Apple's module: what a store was told to remove.
    public struct Removal: Hashable {
        public var types: Set<String>
        public var modifiedSince: Date?
        public var records: [String]
    }

    private static let standard = WKWebsiteDataStore(simulating: nil, isPersistent: true)
    private static var identified: [UUID: WKWebsiteDataStore] = [:]

    // c:objc(cs)WKWebsiteDataStore(cm)defaultDataStore | iOS 9.0, macOS 10.11 | MainActor | D
    public class func `default`() -> WKWebsiteDataStore { standard }
    // c:objc(cs)WKWebsiteDataStore(cm)nonPersistentDataStore | iOS 9.0, macOS 10.11 | MainActor | D
    public class func nonPersistent() -> WKWebsiteDataStore {
        WKWebsiteDataStore(simulating: nil, isPersistent: false)
    }

    // c:objc(cs)WKWebsiteDataStore(cm)dataStoreForIdentifier: | iOS 17.0, macOS 14.0 | MainActor | S
    public init(forIdentifier identifier: UUID) {
        (self.identifier, isPersistent) = (identifier, true)
        super.init()
        Self.identified[identifier] = self
    }

    private init(simulating identifier: UUID?, isPersistent: Bool) {
        (self.identifier, self.isPersistent) = (identifier, isPersistent)
        super.init()
    }

    // `nil` for the default store and for one that is not persistent.
    // c:objc(cs)WKWebsiteDataStore(py)identifier | iOS 17.0, macOS 14.0 | MainActor | S
    public let identifier: UUID?
    // c:objc(cs)WKWebsiteDataStore(py)persistent | iOS 9.0, macOS 10.11 | MainActor | S
    public let isPersistent: Bool
    // c:objc(cs)WKWebsiteDataStore(py)httpCookieStore | iOS 11.0, macOS 10.13 | MainActor | S
    public let httpCookieStore = WKHTTPCookieStore()
    // Loads under way may be interrupted when it changes.
    // s:So18WKWebsiteDataStoreC6WebKitE19proxyConfigurationsSay7Network18ProxyConfigurationVGvp | iOS 17.0, macOS 14.0 | MainActor | D
    public var proxyConfigurations: [ProxyConfiguration] = [] { didSet { simulatedProxyChanges += 1 } }
    /// Not in Apple's module: how often all loads were ended.
    public private(set) var simulatedProxyChanges = 0
    /// Not in Apple's module.
    public private(set) var removals: [Removal] = []
    /// Not in Apple's module: what there is.
    public var simulatedRecords: [WKWebsiteDataRecord] = []

    // c:objc(cs)WKWebsiteDataStore(cm)allWebsiteDataTypes | iOS 9.0, macOS 10.11 | MainActor | S
    public class func allWebsiteDataTypes() -> Set<String> {
        [
            WKWebsiteDataTypeDiskCache, WKWebsiteDataTypeMemoryCache, WKWebsiteDataTypeCookies,
            WKWebsiteDataTypeSessionStorage, WKWebsiteDataTypeLocalStorage, WKWebsiteDataTypeIndexedDBDatabases,
            WKWebsiteDataTypeFetchCache, WKWebsiteDataTypeServiceWorkerRegistrations,
        ]
    }

    // c:objc(cs)WKWebsiteDataStore(im)fetchDataRecordsOfTypes:completionHandler: | iOS 9.0, macOS 10.11 | MainActor | S
    public func fetchDataRecords(
        ofTypes dataTypes: Set<String>,
        completionHandler: @escaping @MainActor @Sendable ([WKWebsiteDataRecord]) -> Void
    ) { completionHandler(simulatedRecords.filter { !$0.dataTypes.isDisjoint(with: dataTypes) }) }

    // c:objc(cs)WKWebsiteDataStore(im)removeDataOfTypes:forDataRecords:completionHandler: | iOS 9.0, macOS 10.11 | MainActor | S
    public func removeData(
        ofTypes dataTypes: Set<String>, for dataRecords: [WKWebsiteDataRecord],
        completionHandler: @escaping @MainActor @Sendable () -> Void
    ) {
        let names = dataRecords.map(\.displayName)
        removals.append(Removal(types: dataTypes, modifiedSince: nil, records: names))
        if dataTypes.contains(WKWebsiteDataTypeCookies) {
            httpCookieStore.simulateRemoval { domain in names.contains { domain == $0 || domain.hasSuffix("." + $0) } }
        }
        completionHandler()
    }

    // c:objc(cs)WKWebsiteDataStore(im)removeDataOfTypes:modifiedSince:completionHandler: | iOS 9.0, macOS 10.11 | MainActor | S
    public func removeData(
        ofTypes dataTypes: Set<String>, modifiedSince date: Date,
        completionHandler: @escaping @MainActor @Sendable () -> Void
    ) {
        removals.append(Removal(types: dataTypes, modifiedSince: date, records: []))
        if dataTypes.contains(WKWebsiteDataTypeCookies), date == .distantPast {
            httpCookieStore.simulateRemoval { _ in true }
        }
        completionHandler()
    }

    // Every web view with the store has to be gone.
    // c:objc(cs)WKWebsiteDataStore(cm)removeDataStoreForIdentifier:completionHandler: | iOS 17.0, macOS 14.0 | MainActor | S
    public class func remove(
        forIdentifier identifier: UUID, completionHandler: @escaping @MainActor @Sendable ((any Error)?) -> Void
    ) {
        identified[identifier] = nil
        completionHandler(nil)
    }

    // c:objc(cs)WKWebsiteDataStore(cm)fetchAllDataStoreIdentifiers: | iOS 17.0, macOS 14.0 | MainActor | S
    public class func fetchAllDataStoreIdentifiers(
        _ completionHandler: @escaping @MainActor @Sendable ([UUID]) -> Void
    ) { completionHandler(Array(identified.keys)) }
}

// c:objc(cs)WKWebsiteDataRecord | iOS 9.0, macOS 10.11 | MainActor | S
@MainActor
public final class WKWebsiteDataRecord: NSObject {
    // c:objc(cs)WKWebsiteDataRecord(py)displayName | iOS 9.0, macOS 10.11 | MainActor | S
    public let displayName: String
    // c:objc(cs)WKWebsiteDataRecord(py)dataTypes | iOS 9.0, macOS 10.11 | MainActor | S
    public let dataTypes: Set<String>

    /// Not in Apple's module, where only WebKit makes them.
    public init(simulating displayName: String, _ dataTypes: Set<String>) {
        (self.displayName, self.dataTypes) = (displayName, dataTypes)
        super.init()
    }
}

// c:@WKWebsiteDataTypeDiskCache | iOS 9.0, macOS 10.11 | Sendable | M
public let WKWebsiteDataTypeDiskCache = "WKWebsiteDataTypeDiskCache"
// c:@WKWebsiteDataTypeMemoryCache | iOS 9.0, macOS 10.11 | Sendable | M
public let WKWebsiteDataTypeMemoryCache = "WKWebsiteDataTypeMemoryCache"
// c:@WKWebsiteDataTypeCookies | iOS 9.0, macOS 10.11 | Sendable | M
public let WKWebsiteDataTypeCookies = "WKWebsiteDataTypeCookies"
// c:@WKWebsiteDataTypeSessionStorage | iOS 9.0, macOS 10.11 | Sendable | M
public let WKWebsiteDataTypeSessionStorage = "WKWebsiteDataTypeSessionStorage"
// c:@WKWebsiteDataTypeLocalStorage | iOS 9.0, macOS 10.11 | Sendable | M
public let WKWebsiteDataTypeLocalStorage = "WKWebsiteDataTypeLocalStorage"
// c:@WKWebsiteDataTypeIndexedDBDatabases | iOS 9.0, macOS 10.11 | Sendable | M
public let WKWebsiteDataTypeIndexedDBDatabases = "WKWebsiteDataTypeIndexedDBDatabases"
// c:@WKWebsiteDataTypeFetchCache | iOS 11.3, macOS 10.13 | Sendable | M
public let WKWebsiteDataTypeFetchCache = "WKWebsiteDataTypeFetchCache"
// c:@WKWebsiteDataTypeServiceWorkerRegistrations | iOS 11.3, macOS 10.13 | Sendable | M
public let WKWebsiteDataTypeServiceWorkerRegistrations = "WKWebsiteDataTypeServiceWorkerRegistrations"
