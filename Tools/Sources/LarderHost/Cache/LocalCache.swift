import CacheEngine
import CacheRules
import HTTPCacheSemantics
import Locking
import NIOPosix
import NIOTransport
import OriginDialing
import Preloading
import ResponseStore
import ViewCare

/// A store with its engine and its network, in this process.
package final class LocalCache: Sendable {
    package let store: DiskResponseStore
    package let cache: ResponseCache
    /// As it was when the store was opened.
    let turnedOff: TurnedOff
    let dialer: OriginDialer
    let transport: NIOOriginTransport
    /// Completes the snapshots of pages.
    private let snapshots: PreloadQueue
    private let state: LockedBox<(connectivity: Connectivity, account: String)>

    /// The way to origins, which needs no store.
    struct Network {
        let dialer: OriginDialer
        let transport: NIOOriginTransport

        /// - Throws: `DialerError` or ``HostError`` where the file of authorities can't be used.
        init(_ hostMap: HostMap, authorities: String?) throws {
            if let authorities { try OrdinaryFile.expect(authorities, option: "--origin-ca") }
            dialer = OriginDialer(
                group: MultiThreadedEventLoopGroup.singleton, hostMap: hostMap,
                trust: try OriginTrust(additionalAuthorities: authorities))
            transport = NIOOriginTransport(dialer: dialer)
        }
    }

    /// Opens the store. One that can't be written is served from, see `DiskResponseStore.isReadOnly`.
    ///
    /// - Throws: `StoreError`, `DialerError`.
    package convenience init(_ setup: CacheSetup) throws {
        try self.init(setup, Network(setup.hostMap, authorities: setup.originAuthorities))
    }

    init(_ setup: CacheSetup, _ network: Network) throws {
        (dialer, transport) = (network.dialer, network.transport)
        store = try DiskResponseStore(
            directory: setup.storeDirectory, budget: StoreDirectory.budget, wallTime: EngineClock.system.wallTime)
        turnedOff = TurnedOff(inStore: setup.storeDirectory)
        var engine = EngineConfiguration(
            rules: turnedOff.before(setup.rules), kind: setup.kind, observer: setup.observer)
        engine.limits = setup.originLimits
        if let page = setup.offlinePage { engine.offlinePage = { _ in page } }
        cache = ResponseCache(
            store: store,
            transport: PatientTransport(
                setup.network.transport(over: setup.transport ?? transport), engine.clock),
            configuration: engine)
        cache.removeNeverStored()
        state = LockedBox((.connected, setup.account))
        let state = state
        var pages = PreloadConfiguration(
            connectivity: { state.withLock { $0.connectivity } }, partition: setup.account)
        pages.answerTimeout = .seconds(10)
        snapshots = PreloadQueue(cache: cache, configuration: pages)
        cache.onSnapshot(snapshots) { [weak snapshots] in
            await snapshots?.completeSnapshot(of: $0, since: $1)
        }
    }

    /// Whether exchanges may use the network; takes effect for the next one. What was served stale without it is
    /// validated when it is asked for again, not by itself: measurements must not race with that.
    package var connectivity: Connectivity {
        get { state.withLock { $0.connectivity } }
        set {
            state.withLock { $0.connectivity = newValue }
            if !newValue.hasNetwork { transport.closeIdleConnections() }
        }
    }

    /// The account for which requests come: each has a partition of the store to itself, and nobody has the one of the
    /// empty text. Counts for the requests that arrive from then on.
    package var account: String {
        get { state.withLock { $0.account } }
        set { state.withLock { $0.account = newValue } }
    }

    /// The context of a request that begins now.
    package var context: ExchangeContext {
        state.withLock { ExchangeContext(partition: $0.account, connectivity: $0.connectivity) }
    }

    /// How long a program that ends waits for what pages were shown without: an app would go on.
    package static let mostPatience = Duration.seconds(20)

    /// Returns once all that has wholly arrived is stored; and what was shown as stored is validated, with the
    /// snapshots of its pages, unless that takes longer than ``mostPatience``.
    package func stop() async {
        await cache.waitForBackgroundWork(within: Self.mostPatience)
        await cache.waitForCommits()
        try? await store.flush()
        transport.closeIdleConnections()
    }
}
