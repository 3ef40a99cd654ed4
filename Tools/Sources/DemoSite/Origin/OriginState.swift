import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1

/// The state that all connections of an origin share.
///
/// One lock guards the deployed files, the faults and the counters; it is never held while anything else is called.
final class OriginState: Sendable {
    /// A file with its body in the form that connections send.
    struct Served {
        let file: DemoFile
        let body: ByteBuffer
    }

    private struct Guarded {
        var site: DemoSite
        var files: [String: Served]
        var faults: [String: OriginFault] = [:]
        var answeredAPI = 0
        /// The release that is deployed once this path was answered.
        var next: (site: DemoSite, path: String)?
    }

    let log = OriginLog()
    let shaping: Shaping
    let down: Bandwidth
    let up: Bandwidth
    let now: @Sendable () -> Int
    private let guarded: NIOLockedValueBox<Guarded>

    init(site: DemoSite, shaping: Shaping, now: @escaping @Sendable () -> Int) {
        self.shaping = shaping
        self.now = now
        down = Bandwidth(bitsPerSecond: shaping.downBitsPerSecond)
        up = Bandwidth(bitsPerSecond: shaping.upBitsPerSecond)
        guarded = NIOLockedValueBox(Guarded(site: site, files: Self.index(site)))
    }

    var site: DemoSite { guarded.withLockedValue { $0.site } }

    func deploy(_ site: DemoSite, keepingEarlierAssets: Bool) {
        let files = Self.index(site)
        guarded.withLockedValue { guarded in
            guarded.site = site
            guard keepingEarlierAssets else {
                guarded.files = files
                return
            }
            guarded.files.merge(files) { _, new in new }
        }
    }

    func deploy(_ site: DemoSite, after path: String) { guarded.withLockedValue { $0.next = (site, path) } }

    /// A path has its answer: what was to follow that is deployed.
    func answered(_ path: String) {
        let due = guarded.withLockedValue { guarded -> DemoSite? in
            guard let next = guarded.next, next.path == path else { return nil }
            guarded.next = nil
            return next.site
        }
        if let due { deploy(due, keepingEarlierAssets: false) }
    }

    func served(host: String, path: String) -> Served? {
        guarded.withLockedValue { $0.files[host + path] }
    }

    func setFault(_ fault: OriginFault?, path: String) {
        guarded.withLockedValue { $0.faults[path] = fault }
    }

    /// The fault that the next answer for a path is to have; each call uses it up once.
    func takeFault(path: String) -> OriginFault? {
        guarded.withLockedValue { guarded in
            guard let fault = guarded.faults[path] else { return nil }
            if let remaining = fault.remaining {
                guarded.faults[path]?.remaining = remaining - 1
                if remaining <= 1 { guarded.faults[path] = nil }
            }
            return fault
        }
    }

    /// Counts an answer of the API; the number is in its body, so that reuse would show.
    func nextAPICount() -> Int {
        guarded.withLockedValue { guarded in
            guarded.answeredAPI += 1
            return guarded.answeredAPI
        }
    }

    private static func index(_ site: DemoSite) -> [String: Served] {
        let pairs = site.files.map { ($0.host + $0.path, Served(file: $0, body: ByteBuffer(bytes: $0.bytes))) }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
