import HTTPCacheSemantics
import Locking

extension MemoryResponseStore {
    package func summaries(of selection: EntrySelection, after last: StoredEntry.ID?, limit: Int) -> [EntrySummary] {
        content.withLock { content in
            // Filtered by tag first, for speed: the engine asks for each file which pages have it.
            let all = content.entries.values.joined().filter { entry in
                last.map { $0.rawValue } ?? 0 < entry.id.rawValue
                    && selection.tag.map(entry.response.tags.contains) ?? true
            }
            let summaries = all.map(Self.summary).filter { selection.contains($0) }
            return Array(summaries.sorted { $0.id.rawValue < $1.id.rawValue }.prefix(max(0, limit)))
        }
    }

    /// Uses and pins are not counted here.
    private static func summary(_ entry: StoredEntry) -> EntrySummary {
        EntrySummary(
            id: entry.id, key: entry.key, contentType: entry.response.fields.mediaType,
            storedAt: entry.response.responseTime, lastUsed: entry.response.responseTime, uses: 1, pins: 0,
            size: entry.bodyLength, bodyLength: entry.bodyLength, tags: entry.response.tags.sorted(),
            expires: entry.response.expires)
    }

    package func remove(_ selection: EntrySelection) -> RemovedContent {
        let before = usage()
        content.withLock { content in
            if selection.meansArriving {
                if let key = selection.invalidation {
                    content.changes.note(.invalidated, key)
                } else {
                    content.changes.forgetAll()
                }
            }
            for (key, entries) in content.entries {
                let kept = entries.filter { !selection.contains(Self.summary($0)) }
                content.entries[key] = kept.isEmpty ? nil : kept
                if kept.isEmpty, !entries.isEmpty { content.forgetPins { $0 == key } }
                if selection.storedSince != nil, kept.count < entries.count { content.seen[key] = nil }
            }
            if selection.isByKey { content.forgetPins { selection.contains($0) } }
            if selection.meansNames {
                for (key, seen) in content.seen where selection.contains(key) {
                    content.seen[key] = seen.filter { !$0.value.isMeant(by: selection) }
                }
            }
            content.past = [:]
            if selection.isByKey, let host = selection.host { content.distrusted[host] = nil }
            if selection == .everything { (content.distrusted, content.serverCookies) = ([:], []) }
        }
        let after = usage()
        return RemovedContent(entries: before.entries - after.entries, bytes: before.bodyBytes - after.bodyBytes)
    }
}
