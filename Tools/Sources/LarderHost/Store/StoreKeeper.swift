import CacheEngine
import CacheRules
import Dashboard
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import NIOPosix
import NIOTransport
import OriginDialing
import Preloading
import ResponseStore
import ViewCare

/// Lists, shows, counts, removes and refreshes what is in a store, which others may be using at the same time.
package struct StoreKeeper: Sendable {
    private let directory: String
    package let store: DiskResponseStore

    /// - Throws: ``HostError`` where there is no store, `StoreError` where it can't be opened.
    package init(directory: String) throws {
        self.directory = directory
        store = try StoreDirectory.open(directory)
    }

    /// Lists the responses of a selection, the largest first.
    ///
    /// - Parameter rules: The rules of which one decides about each, for a request whose use is not known.
    package func list(_ selection: EntrySelection, rules: RuleList) async throws -> [StoredItem] {
        var summaries: [EntrySummary] = []
        try await store.forEachSummary(of: selection) { summaries.append($0) }
        var entries: [StoredEntry.ID: StoredEntry] = [:]
        for key in Set(summaries.map(\.key)) {
            for entry in try await store.peek(at: key) { entries[entry.id] = entry }
        }
        let items = summaries.map { summary in
            var item = StoredItem(summary, entries[summary.id]?.response)
            item.digest = entries[summary.id]?.bodyDigest.description
            if let response = entries[summary.id]?.response, let parts = TargetURI.split(summary.uri) {
                let exchange = Exchange(
                    request: HTTPRequest(
                        method: .get, scheme: parts.scheme, authority: parts.authority, path: parts.path),
                    destination: .unknown, connectivity: .connected,
                    response: HTTPResponse(status: response.status, headerFields: response.fields))
                item.rule = rules.decision(for: exchange).rule
            }
            return item
        }
        return items.sorted { ($1.size, $0.url) < ($0.size, $1.url) }
    }

    /// Every response that is stored under a URL, of every account.
    package func show(_ url: String) async throws -> [StoredDetail] {
        var summaries: [StoredEntry.ID: EntrySummary] = [:]
        try await store.forEachSummary(of: EntrySelection(uri: try Self.uri(url))) { summaries[$0.id] = $0 }
        return try await entries(url).compactMap { entry in
            summaries[entry.id].map { StoredDetail(entry, $0) }
        }
    }

    /// The content of the response under a URL that was stored or confirmed last, in pieces, as it is stored.
    ///
    /// - Parameter begin: Called first: with the bytes that are there, such as `bytes 0-99/1000`, where some are
    ///   missing.
    /// - Returns: Whether there is one.
    package func content(
        _ url: String, begin: (_ partial: String?) -> Void, _ body: (Data) -> Void
    ) async throws -> Bool {
        guard let entry = try await entries(url).latestFirst.first else { return false }
        begin(entry.response.extent.partialText)
        let source = ResponseBody(try await store.open(entry)).makeSource()
        while let bytes = try await source.next() { body(Data(bytes)) }
        return true
    }

    /// Why nothing is stored under a URL, in one sentence; `nil` where nobody knows.
    package func past(_ url: String, account: String = "") async throws -> String? {
        await store.past(of: CacheKey(partition: account, uri: try Self.uri(url)))?.event.words
    }

    func entries(_ url: String) async throws -> [StoredEntry] {
        let uri = try Self.uri(url)
        var keys: Set<CacheKey> = []
        try await store.forEachSummary(of: EntrySelection(uri: uri)) { keys.insert($0.key) }
        var entries: [StoredEntry] = []
        for key in keys.sorted(by: { $0.partition < $1.partition }) { entries += try await store.peek(at: key) }
        return entries
    }

    /// The URI as keys have it.
    ///
    /// - Throws: ``HostError`` if the text is not an http or https URL.
    package static func uri(_ url: String) throws -> String {
        let request = try HTTPRequest(method: "GET", url: url, fieldLines: [])
        guard let key = CacheKey(request) else {
            throw HostError(code: .badUse, message: "'\(url)' names no host.")
        }
        return key.uri
    }

    package func statistics() async throws -> StoreStatistics {
        let usage = try await store.usage()
        var (hosts, types, accounts) = (Shares(), Shares(), Shares())
        var pinned = 0
        try await store.forEachSummary(of: .everything) { entry in
            hosts.add(entry.key.host, entry.size)
            types.add(entry.contentType ?? "(none)", entry.size)
            accounts.add(entry.key.partition.isEmpty ? StoreStatistics.nobody : entry.key.partition, entry.size)
            if entry.pins > 0 { pinned += 1 }
        }
        let believed = EngineClock.system.wallTime() + (.zero - ResponseCache.distrustTime)
        let distrusted = store.distrustedHosts.filter { $0.value > believed }.keys
        return StoreStatistics(
            directory: directory, responses: usage.entries, contents: usage.bodies,
            contentBytes: usage.bodyBytes.bytes, bytes: usage.bytes.bytes, onDisk: try await store.diskUsage().bytes,
            pinned: pinned, hosts: hosts.sorted, types: types.sorted, accounts: accounts.sorted,
            distrustedHosts: distrusted.sorted(), releases: try await releases(),
            turnedOff: TurnedOff(inStore: directory).names.sorted())
    }

    /// The manifests whose state is beside the store.
    private func releases() async throws -> [StoreStatistics.Release] {
        let states = PreloadStateFiles(folder: directory + "/preload")
        return try await store.pinHolders().compactMap { PreloadQueue.set(of: $0) }.compactMap { id in
            do {
                return try states.manifestState(of: id).map {
                    .init(manifest: id, inForce: $0.shown, accepted: $0.serial)
                }
            } catch {
                return .init(manifest: id, inForce: 0, accepted: 0, problem: "\(error)")
            }
        }
    }

    private struct Shares {
        private var shares: [String: StoreStatistics.Share] = [:]

        mutating func add(_ name: String, _ size: ByteCount) {
            shares[name, default: .init(name: name)].responses += 1
            shares[name]?.bytes += size.bytes
        }

        var sorted: [StoreStatistics.Share] {
            shares.values.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
        }
    }

    /// Fetches a URL from its origin, past every cache, and stores the response as the rules say. Every stored variant
    /// that matches the given fields is fetched again, with its own values of the other nominated fields.
    ///
    /// - Parameters:
    ///   - account: The account that the response is for.
    ///   - destination: The use of the response; as `Sec-Fetch-Dest` says where it is `nil`.
    /// - Throws: ``HostError`` when no answer could be had.
    package func refresh(
        _ url: String, fieldLines: [String], account: String, destination: Destination? = nil, rules: RuleList,
        hostMap: HostMap, authorities: String?
    ) async throws -> RefreshOutcome {
        let head = try HTTPRequest(method: "GET", url: url, fieldLines: fieldLines)
        let transport = try LocalCache.Network(hostMap, authorities: authorities).transport
        defer { transport.closeIdleConnections() }
        let rules = TurnedOff(inStore: directory).before(rules)
        let log = ReportLog()
        let cache = ResponseCache(
            store: store, transport: transport, configuration: EngineConfiguration(rules: rules, observer: log))
        var context = ExchangeContext(partition: account)
        context.destination = destination ?? Destination(head)
        context.checksAllowedOrigin = !rules.rules.isEmpty
        let answers = await cache.refresh(EngineRequest(head: head, context: context))
        await cache.waitForBackgroundWork()
        if let failure = answers.lazy.compactMap(\.failure).first {
            throw HostError(code: .pageFailed, message: failure.description)
        }
        let reports = log.take().filter { !$0.isBackground }
        guard let answer = answers.first(where: { !$0.cacheStatus.isStored }) ?? answers.first,
            !answer.cacheStatus.isHit
        else {
            let name = reports.last?.rule.map { "the rule '\($0)'" } ?? "a rule"
            throw HostError(
                code: .pageFailed, message: "'\(head.targetURL)' was not fetched: \(name) has the store answer alone.")
        }
        // One that was not stored is the news, where there are several.
        let report = reports.first { !$0.cacheStatus.isStored } ?? reports.last
        // `Cache-Status` is sent before the content, and what becomes of that is in the report.
        let isStored = report?.cacheStatus.isStored ?? answer.cacheStatus.isStored
        return RefreshOutcome(
            head: answer.head, isStored: isStored,
            notStored: isStored ? nil : NotStored(report, answer.request, answer.head, rules: rules),
            uri: report?.uri ?? head.targetURL, rule: report?.rule, responses: answers.count)
    }
}
