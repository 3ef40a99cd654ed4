import CacheEngine
import Dashboard
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import NIOPosix
import NIOTransport
import OriginDialing
import ResponseStore

extension StoreKeeper {
    /// The requests that are on their way at once.
    private static let atOnce = 8

    /// Asks the servers of stored responses for what they have now, past every cache, and compares the bytes. Stores
    /// nothing.
    ///
    /// - Returns: The items, each with ``StoredItem/current`` set.
    package func compared(
        _ items: [StoredItem], hostMap: HostMap, authorities: String?
    ) async throws -> [StoredItem] {
        let transport = try LocalCache.Network(hostMap, authorities: authorities).transport
        defer { transport.closeIdleConnections() }
        var compared = items
        var waiting = Array(items.enumerated())[...]
        return await withTaskGroup(of: (Int, String).self) { group in
            func begin() {
                guard let (index, item) = waiting.popFirst() else { return }
                group.addTask { (index, await Self.current(of: item, over: transport)) }
            }
            for _ in 0..<Self.atOnce { begin() }
            while let (index, words) = await group.next() {
                compared[index].current = words
                begin()
            }
            return compared
        }
    }

    /// `same`, `other`, a status, or `no answer`; `unknown` for a part.
    private static func current(of item: StoredItem, over transport: NIOOriginTransport) async -> String {
        guard item.partial == nil, let digest = item.digest, let parts = TargetURI.split(item.url) else {
            return "unknown"
        }
        var head = HTTPRequest(
            method: .get, scheme: parts.scheme, authority: parts.authority, path: parts.path,
            headerFields: [.cacheControl: "no-cache", .pragma: "no-cache"])
        for line in item.nominatedFields ?? [] {
            guard let field = try? HTTPFields(lines: [line]).first, !field.value.isEmpty else { continue }
            head.headerFields.append(field)
        }
        if !head.headerFields.contains(.acceptEncoding) {
            head.headerFields[.acceptEncoding] = item.coding ?? "identity"
        }
        guard let answer = try? await transport.send(TransportRequest(head: head, timeout: .seconds(15))) else {
            return "no answer"
        }
        guard answer.head.status.code == item.status else {
            answer.body.cancel()
            return "status \(answer.head.status.code)"
        }
        if answer.head.headerFields[.location] != item.location {
            answer.body.cancel()
            return "other"
        }
        var (hasher, count) = (SHA256Hasher(), Int64(0))
        let clock = EngineClock.system
        let end = clock.uptime() + .seconds(60)
        do {
            while let bytes = try await answer.body.next() {
                hasher.update(bytes)
                count += Int64(bytes.count)
                guard count <= item.contentSize, clock.uptime() < end else {
                    answer.body.cancel()
                    return count > item.contentSize ? "other" : "no answer"
                }
            }
        } catch {
            return "no answer"
        }
        return hasher.digest().description == digest ? "same" : "other"
    }
}
