import CacheEngine
import CacheRules
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Answers questions about requests from a store, without a network.
package struct StoreReader: Sendable {
    private let cache: ResponseCache

    /// - Throws: ``HostError`` where there is no store, `StoreError` where it can't be opened.
    package init(directory: String, rules: RuleList, kind: CacheKind) throws {
        cache = ResponseCache(
            store: try StoreDirectory.open(directory), transport: NoTransport(),
            configuration: EngineConfiguration(rules: rules, kind: kind))
    }

    /// How a request would be answered now.
    ///
    /// - Parameters:
    ///   - url: An absolute http or https URL.
    ///   - fieldLines: `Name: value` each.
    ///   - account: The account whose responses are used; empty for those of no account.
    ///   - destination: The use of the response; as `Sec-Fetch-Dest` says where it is `nil`.
    /// - Throws: ``HostError`` if the URL or a line is invalid.
    package func explain(
        method: String, url: String, fieldLines: [String], account: String, mode: CacheMode, connectivity: Connectivity,
        destination: Destination? = nil
    ) async throws -> Explanation {
        let head = try HTTPRequest(method: method, url: url, fieldLines: fieldLines)
        var context = ExchangeContext(
            partition: account, connectivity: connectivity, mode: mode)
        context.destination = destination ?? Destination(head)
        context.checksAllowedOrigin = !cache.rules.rules.isEmpty
        return await cache.explain(EngineRequest(head: head, context: context))
    }

    /// Explaining sends nothing; an attempt to send is an error.
    private struct NoTransport: OriginTransport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            throw TransportError(code: .connectionFailed, message: "The store is read without a network.")
        }
    }
}
