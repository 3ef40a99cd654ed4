import CacheEngine
import CacheRules
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import Preloading
import ResponseStore
import ViewCare

/// Answers questions about requests from a store, without a network.
package struct StoreReader: Sendable {
    private let cache: ResponseCache
    private let directory: String

    /// - Throws: ``HostError`` where there is no store, `StoreError` where it can't be opened.
    package init(directory: String, rules: RuleList, kind: CacheKind, clock: EngineClock = .system) throws {
        self.directory = directory
        cache = ResponseCache(
            store: try StoreDirectory.open(directory), transport: NoTransport(),
            configuration: EngineConfiguration(
                rules: TurnedOff(inStore: directory).before(rules), kind: kind, clock: clock))
    }

    /// How a request would be answered now.
    ///
    /// - Parameters:
    ///   - url: An absolute http or https URL; a user name and password in it answer the server's challenge.
    ///   - fieldLines: `Name: value` each.
    ///   - account: The account whose responses are used; empty for those of no account.
    ///   - destination: The use of the response; as `Sec-Fetch-Dest` or the path says where it is `nil`.
    ///   - originIsDown: Whether to go on as if nothing answered at the origin.
    /// - Throws: ``HostError`` if the URL or a line is invalid.
    package func explain(
        as client: AskingClient = .data, method: String, url: String, fieldLines: [String], account: String,
        mode: CacheMode, connectivity: Connectivity, destination: Destination? = nil, originIsDown: Bool = false
    ) async throws -> Explanation {
        let head = try HTTPRequest(method: method, url: URLUserinfo.removed(from: url), fieldLines: fieldLines)
        var context = ExchangeContext(partition: account, connectivity: connectivity, mode: mode)
        context.checksAllowedOrigin = !cache.rules.rules.isEmpty
        let stated = client.isWebView ? destination : destination ?? Destination(head)
        var asked = client.asked(head, stated, context, viewFields(of: client))
        var explanation = await cache.explain(asked.request, fields: asked.unknown, originIsDown: originIsDown)
        // A password is sent once the server asks for it.
        let known = try HTTPRequest(method: method, url: url, fieldLines: fieldLines)
        if known != head, !explanation.answer.isFromStore {
            asked = client.asked(known, stated, context, viewFields(of: client))
            explanation = await cache.explain(asked.request, fields: asked.unknown, originIsDown: originIsDown)
        }
        if originIsDown {
            explanation.steps.insert(
                .init(title: "Origin", section: "", finding: "as if nothing answered there"), at: 0)
        }
        explanation.steps.insert(.init(title: "Asked by", section: "", finding: asked.words), at: 0)
        return explanation
    }

    /// Those of the last web view behind the proxy, where there was one.
    private func viewFields(of client: AskingClient) -> ViewFields {
        guard client != .appScheme else { return ViewFields(through: .appScheme) }
        return PreloadStateFiles(folder: directory + "/preload").viewFields ?? ViewFields(through: .proxy)
    }

    /// Explaining sends nothing; an attempt to send is an error.
    private struct NoTransport: OriginTransport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            throw TransportError(code: .connectionFailed, message: "The store is read without a network.")
        }
    }
}
