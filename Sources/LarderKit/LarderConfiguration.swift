import CacheEngine
import CacheRules
import Foundation
import HTTPCacheSemantics
import struct HTTPCacheSemantics.ByteCount  // Darwin has one too.
import HTTPTypes
import ResponseStore

/// How a ``Larder`` keeps and decides. Only the directory has no default.
public struct LarderConfiguration: Sendable {
    /// The folder of the store; it is made when it is not there. Several processes may share it, such as an app and its
    /// extension.
    public var directory: URL
    /// The policy; ``CacheRules/RuleList/webViewDefaults`` unless set.
    public var rules: RuleList = .webViewDefaults
    /// Limits what is kept on the disk, in all and by host and account; 512 MiB in all unless set.
    public var budget = StoreBudget()
    /// Limits what is kept in memory in front of the disk; 16 MiB unless set.
    public var memoryBudget: ByteCount = DiskResponseStore.defaultMemoryBudget
    /// Gets a report of every exchange.
    public var observer: (any ExchangeObserver)?
    /// The connectivity source; by default the system on Apple's platforms (`NetworkPathSource`,
    /// not yet run on a device), elsewhere none. With `nil` there is a network until
    /// ``Larder/connectivityOverride`` says otherwise.
    public var connectivitySource: (any ConnectivitySource)? = PlatformConnectivity.makeSource()
    /// The app's own page for a document that can't be had without a network; see
    /// ``CacheEngine/EngineConfiguration/offlinePage``.
    public var offlinePage: (@Sendable (HTTPRequest) -> OfflinePage?)?
    /// How long origins may be silent; see ``CacheEngine/OriginLimits``.
    public var originLimits = OriginLimits()
    /// A network to try the app with, such as a silent one: for builds that no user gets. The real one unless set.
    public var simulatedNetwork = SimulatedNetwork.direct
    /// How many bytes may be fetched ahead of need in a day of Universal Time, all accounts together; 256 MiB unless
    /// set, `nil` for no limit. What pages ask for does not count.
    public var preloadBytesPerDay: ByteCount? = .mebibytes(256)
    /// The folder for what preloading has to remember: which manifests were accepted, a random number of this
    /// installation, what is spent of the day's bytes, and what the web view's requests look like. No stored response
    /// is in it.
    ///
    /// Unless set it is a folder beside the store, named like it with `-preloads` behind. On Apple's platforms it is in
    /// Application Support, named like the store's folder: in the caches folder the system could remove it, and then an
    /// old manifest would be accepted again. Set it where two stores of an app have folders of the same name.
    ///
    /// Files are replaced whole. One that is damaged counts as missing: preloading begins anew with it, and only
    /// ``LarderManifest/minimumSerial`` keeps older manifests out. One that can't be read or written is an error for
    /// manifests, and nothing is fetched for them. One process at a time should preload for a store.
    public var preloadStateDirectory: URL?
    /// Whether the store lets go of its files while the app is in the background, so that iOS does not end the app for
    /// a lock on a file of an app group; not unless set. `forApp(named:inAppGroup:)` sets it. Changes and reads then
    /// wait for the foreground or for ``Larder/duringBackgroundTask(_:)``. On macOS and Linux it changes nothing,
    /// because apps are not suspended there. Not run on a device yet.
    public var suspendsInBackground = false
    /// The clocks; the machine's unless set.
    public var clock: EngineClock = .system

    /// - Parameter directory: A file URL.
    public init(directory: URL) {
        self.directory = directory
    }
}
