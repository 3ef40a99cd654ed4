import CacheEngine
import CacheRules
import CacheTesting
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import LarderKit
import Testing

/// The lines that the README shows, and what they promise.
@Suite("Larder, the façade")
struct LarderTests {
    private func larder(_ transport: ScriptedTransport, in directory: String) throws -> Larder {
        try Larder(LarderConfiguration(directory: directory), transport: transport)
    }

    private func answering(_ text: String, _ fields: HTTPFields) -> ScriptedTransport {
        let transport = ScriptedTransport()
        transport.on("https://shop.example/") { _ in
            let bytes = Array(text.utf8)
            let body = BodyPipe(onDemand: {}, onCancel: {})
            _ = body.write(bytes)
            body.finish()
            return TransportResponse(
                head: HTTPResponse(status: .ok, headerFields: fields), body: body, bodyLength: Int64(bytes.count))
        }
        return transport
    }

    @Test("what was loaded once is there without a network, also for a new instance on the same folder")
    func offline() async throws {
        let directory = NSTemporaryDirectory() + "larder-kit-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let transport = answering("hello", [.cacheControl: "no-cache", .eTag: "\"1\""])
        let first = try larder(transport, in: directory)
        #expect(try await first.data(for: "https://shop.example/") == Array("hello".utf8))
        // The commit follows the last byte; it is there as soon as the store counts it.
        while try await first.usage().entries == 0 { await Task.yield() }
        let second = try larder(ScriptedTransport(), in: directory)
        second.connectivity = .disconnected
        #expect(try await second.data(for: "https://shop.example/") == Array("hello".utf8))
        #expect(transport.requests(to: "https://shop.example/").count == 1)
    }

    @Test("what is not stored is a typed error without a network, and so is a bad address and a body over the limit")
    func errors() async throws {
        let directory = NSTemporaryDirectory() + "larder-kit-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let larder = try larder(answering("hello", [.cacheControl: "no-store"]), in: directory)
        func code(_ url: String, limit: ByteCount = .kibibytes(1)) async -> EngineError.Code? {
            do {
                _ = try await larder.data(for: url, upTo: limit)
                return nil
            } catch {
                return (error as? EngineError)?.code
            }
        }
        #expect(await code("not a url") == .invalidRequest)
        #expect(await code("ftp://shop.example/") == .invalidRequest)
        #expect(await code("https://shop.example/", limit: ByteCount(4)) == .bodyTooLarge)
        larder.connectivity = .disconnected
        #expect(await code("https://shop.example/") == .disconnected)
    }
}
