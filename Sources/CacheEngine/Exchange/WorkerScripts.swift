import HTTPCacheSemantics
import HTTPTypes
import Locking

/// The scripts of service workers that were asked for lately, and what they import.
///
/// A browser installs a new worker where the octets of its script, or of one that it imports, have changed, and asks
/// the network for the first at each update. An import that the store answers while it is validated would go into the
/// new worker as it was, and stay there until the next update.
final class WorkerScripts: Sendable {
    /// A stored response with this tag was imported by a worker. The update of a worker asks for it again without
    /// saying so: WebKit names the site as its referrer.
    static let tag = "service-worker:import"
    /// How many are known; the oldest are forgotten.
    static let most = 64

    private let urls = LockedBox<[String]>([])
    private let hasAny = AtomicFlag(false)

    /// Whether a worker's script imports what is asked for. Notes the scripts of workers, and what they import, since
    /// that may import more.
    func imports(_ request: EngineRequest) -> Bool {
        let (head, destination) = (request.head, request.context.destination)
        // Service Workers §4.1; without a secure context there is no `Sec-Fetch-Dest`.
        let isScript =
            destination == .serviceWorker || destination == .unknown && head.headerFields[.serviceWorker] == "script"
        // A fetch of the worker is another thing.
        let mayBeImported = hasAny.value && (destination == .script || destination == .unknown)
        guard isScript || mayBeImported else { return false }
        let referrer = isScript ? nil : head.headerFields[.referer]
        let isImport = referrer.map { referrer in urls.withLock { $0.contains(referrer) } } ?? false
        guard isScript || isImport else { return false }
        let url = head.url
        hasAny.value = true
        urls.withLock { urls in
            urls.removeAll { $0 == url }
            urls = (urls + [url]).suffix(Self.most)
        }
        return isImport
    }
}
