import CacheTesting
import HTTPTypes

@testable import CacheEngine

/// The result of one request, short enough for a row of a table.
struct Seen: Hashable, Sendable, CustomStringConvertible {
    var status: Int
    var text: String
    /// How many requests the origin got because of it, those in the background included.
    var requests: Int

    init(_ status: Int, _ text: String, requests: Int) {
        self.status = status
        self.text = text
        self.requests = requests
    }

    var description: String { "\(status) '\(text)' after \(requests) requests" }
}

extension Bench {
    /// Sends a request, reads the answer to its end, and waits for all the work that it started. Leaves out the text of
    /// the cache's own error answers.
    func seen(
        _ path: String, _ fields: HTTPFields = [:], method: HTTPRequest.Method = .get,
        context: ExchangeContext = .init()
    ) async throws -> Seen {
        let before = transport.requests.count
        let (response, text) = try await text(path, fields, method: method, context: context)
        await cache.waitForBackgroundWork()
        return Seen(
            response.head.status.code, response.failure == nil ? text : "",
            requests: transport.requests.count - before)
    }

    /// The content stored under a path, whatever its age; sends no request.
    func stored(_ path: String, _ fields: HTTPFields = [:]) async throws -> String? {
        let context = ExchangeContext(mode: .onlyIfStored)
        let (response, text) = try await text(path, fields, context: context)
        return response.failure == nil ? text : nil
    }

    /// Reads an answer until it ends or breaks off.
    static func received(_ response: EngineResponse) async -> (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        let source = response.body.makeSource()
        do {
            while let piece = try await source.next() { bytes += piece }
            return (bytes, true)
        } catch {
            return (bytes, false)
        }
    }
}
