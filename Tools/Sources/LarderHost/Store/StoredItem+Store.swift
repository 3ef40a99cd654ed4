import Dashboard
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension StoredItem {
    init(_ entry: EntrySummary) {
        self.init(
            url: entry.key.uri, account: entry.key.partition, contentType: entry.contentType, size: entry.size.bytes,
            contentSize: entry.bodyLength.bytes, storedAt: entry.storedAt.seconds, lastUsed: entry.lastUsed.seconds,
            uses: entry.uses, pins: entry.pins, tags: entry.tags, expires: entry.expires?.seconds)
    }
}

extension StoredDetail {
    init(_ entry: StoredEntry, _ summary: EntrySummary) {
        let response = entry.response
        let nominated = response.nominatedFields.values.sorted { $0.key < $1.key }
            .map { name, value in value.map { "\(name): \($0)" } ?? "\(name):" }
        self.init(
            item: StoredItem(summary), status: response.status.code,
            fields: response.fields.map { [$0.name.rawName, $0.value] }, nominatedFields: nominated,
            extent: Self.text(response.extent), needsValidation: response.needsValidation,
            digest: entry.bodyDigest.description,
            responseDelay: (response.responseTime - response.requestTime) / .milliseconds(1))
    }

    private static func text(_ extent: ContentExtent) -> String {
        guard case .partial(_, let length) = extent, let parts = extent.parts else { return "complete" }
        let ranges = parts.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: ",")
        return "bytes \(ranges)/\(length.map { String($0) } ?? "*")"
    }
}

extension WallInstant {
    /// Since the Unix epoch.
    fileprivate var seconds: Double { sinceEpoch / .seconds(1) }
}
