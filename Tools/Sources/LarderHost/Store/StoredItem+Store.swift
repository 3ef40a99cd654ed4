import CacheEngine
import Dashboard
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension StoredItem {
    /// - Parameter response: The stored response; `nil` where it is gone by now.
    init(_ entry: EntrySummary, _ response: StoredResponse?) {
        let fields = response.map { StoredNotes.nominatedFields($0).lines } ?? []
        let note = response.flatMap {
            StoredNotes.isSetAside($0) ? "set-aside" : StoredNotes.isSnapshot($0) ? "snapshot" : nil
        }
        self.init(
            url: entry.key.uri, account: entry.key.partition, contentType: entry.contentType, size: entry.size.bytes,
            contentSize: entry.bodyLength.bytes, storedAt: entry.storedAt.seconds, lastUsed: entry.lastUsed.seconds,
            uses: entry.uses, pins: entry.pins,
            tags: StoredNotes.tags(of: entry.tags) + [note].compactMap { $0 }, expires: entry.expires?.seconds,
            nominatedFields: fields.isEmpty ? nil : fields, partial: response?.extent.partialText)
        status = response?.status.code
        location = response?.fields[.location]
        coding = response?.fields[.contentEncoding]
    }
}

extension StoredDetail {
    init(_ entry: StoredEntry, _ summary: EntrySummary) {
        let response = entry.response
        self.init(
            item: StoredItem(summary, response), status: response.status.code,
            fields: response.fields.map { [$0.name.rawName, $0.value] },
            nominatedFields: StoredNotes.nominatedFields(response).lines,
            extent: response.extent.partialText ?? "complete", needsValidation: response.needsValidation,
            digest: entry.bodyDigest.description,
            responseDelay: (response.responseTime - response.requestTime) / .milliseconds(1))
    }
}

extension NominatedFields {
    /// `name: value` each, without a value for one that was absent.
    fileprivate var lines: [String] {
        values.sorted { $0.key < $1.key }.map { name, value in value.map { "\(name): \($0)" } ?? "\(name):" }
    }
}

extension ContentExtent {
    /// Such as `bytes 0-99/1000`; `nil` where the content is whole.
    var partialText: String? {
        guard case .partial(_, let length) = self, let parts else { return nil }
        let ranges = parts.map { "\($0.lowerBound)-\($0.upperBound - 1)" }.joined(separator: ",")
        return "bytes \(ranges)/\(length.map { String($0) } ?? "*")"
    }
}

extension WallInstant {
    /// Since the Unix epoch.
    fileprivate var seconds: Double { sinceEpoch / .seconds(1) }
}
