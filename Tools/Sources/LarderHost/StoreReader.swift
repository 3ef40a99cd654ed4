import CacheEngine
import CacheRules
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// What a store says about requests, without a network.
public struct StoreReader: Sendable {
    private let cache: ResponseCache

    /// - Throws: ``HostError`` where there is no store, `StoreError` where it can't be opened.
    public init(directory: String, rules: RuleList, kind: CacheKind) throws {
        guard FileManager.default.fileExists(atPath: directory + "/index.sqlite") else {
            throw HostError(
                code: .badUse,
                message: "There is no store in '\(directory)'; name one with --store, or fill it with larder open.")
        }
        cache = ResponseCache(
            store: try DiskResponseStore(directory: directory), transport: NoTransport(),
            configuration: EngineConfiguration(rules: rules, kind: kind))
    }

    /// How a request would be answered now.
    ///
    /// - Parameters:
    ///   - url: An absolute http or https URL.
    ///   - fieldLines: `Name: value` each.
    /// - Throws: ``HostError`` for what is no such URL or line.
    public func explain(
        method: String, url: String, fieldLines: [String], mode: CacheMode, isDisconnected: Bool
    ) async throws -> Explanation {
        guard let method = HTTPRequest.Method(method) else {
            throw HostError(code: .badUse, message: "'\(method)' is no request method.")
        }
        guard let parts = TargetURI.split(url), parts.scheme == "http" || parts.scheme == "https" else {
            throw HostError(code: .badUse, message: "'\(url)' is no http or https URL, such as https://shop.test/.")
        }
        var head = HTTPRequest(method: method, scheme: parts.scheme, authority: parts.authority, path: parts.path)
        for line in fieldLines {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
                throw HostError(code: .badUse, message: "'\(line)' is no field, such as 'Accept-Language: de'.")
            }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            head.headerFields.append(HTTPField(name: name, value: value))
        }
        let context = ExchangeContext(connectivity: isDisconnected ? .disconnected : .connected, mode: mode)
        return await cache.explain(EngineRequest(head: head, context: context))
    }

    /// Explaining sends nothing; whoever sends all the same is told so.
    private struct NoTransport: OriginTransport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            throw TransportError(code: .connectionFailed, message: "The store is read without a network.")
        }
    }
}
