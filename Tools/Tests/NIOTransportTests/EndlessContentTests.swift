import CacheEngine
import CacheTesting
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import NIOPosix
import NIOTransport
import OriginDialing
import ResponseStore
import Testing
import WireSupport

/// Content that can't be stored reaches its readers, and never fills the disk meanwhile; from sockets.
@Suite("Content that is too long to be stored", .timeLimit(.minutes(10)))
struct EndlessContentTests {
    private let directory: TemporaryDirectory
    private let cache: ResponseCache
    private let recorder = ReportRecorder()

    init() throws {
        directory = try TemporaryDirectory()
        cache = ResponseCache(
            store: try DiskResponseStore(
                directory: directory.path + "/store", budget: StoreBudget(total: .mebibytes(4)), durability: .process),
            transport: NIOOriginTransport(
                dialer: OriginDialer(
                    group: MultiThreadedEventLoopGroup.singleton, hostMap: HostMap(), trust: try OriginTrust())),
            configuration: EngineConfiguration(rules: .protocolOnly, observer: recorder))
    }

    private var incoming: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory.path + "/store/incoming")) ?? []
    }

    /// - Returns: A stream of this many bytes that states its length, or does not.
    private func origin(_ count: Int64, statesLength: Bool) async throws -> StepOrigin {
        let piece = [UInt8](repeating: 7, count: 65_536)
        return try await StepOrigin.start { _ in
            [.head(200, [.cacheControl: "max-age=600"], statesLength ? .length(count) : .chunked)]
                + (0..<Int(count) / piece.count).map { _ in .bytes(piece) }
        }
    }

    private func get(_ origin: StepOrigin) async -> EngineResponse {
        await cache.respond(
            to: EngineRequest(
                head: HTTPRequest(
                    method: .get, scheme: "http", authority: "127.0.0.1:\(origin.port)", path: "/", headerFields: [:])))
    }

    @Test("a stated length that is too long takes no room from the first byte on")
    func stated() async throws {
        let origin = try await origin(2_097_152, statesLength: true)
        let answer = await get(origin)
        #expect(!answer.cacheStatus.isStored)
        let body = answer.body.makeSource()
        var count = 0
        while let bytes = try await body.next() {
            count += bytes.count
            #expect(incoming.isEmpty)
        }
        #expect(count == 2_097_152)
        await cache.waitForBackgroundWork()
        #expect(recorder.reports.last?.storeFailure?.code == .writeFailed)
    }

    @Test("without a stated length the disk is used below the limit")
    func begun() async throws {
        let piece = [UInt8](repeating: 7, count: 65_536)
        let origin = try await StepOrigin.start { _ in
            [
                .head(200, [.cacheControl: "max-age=600"], .chunked), .bytes(piece), .bytes(piece), .bytes(piece),
                .silence,
            ]
        }
        let body = await get(origin).body.makeSource()
        var count = 0
        while count < 196_608, let bytes = try await body.next() { count += bytes.count }
        // The stored part runs ahead of the reader, never behind.
        #expect(!incoming.isEmpty)
    }

    @Test("without a stated length the disk is left as soon as the limit is reached, long before the end")
    func unstated() async throws {
        let origin = try await origin(8_388_608, statesLength: false)
        let body = await get(origin).body.makeSource()
        var count = 0
        while let bytes = try await body.next() {
            count += bytes.count
            if count > 1_048_576 { #expect(incoming.isEmpty) }
        }
        #expect(count == 8_388_608)
        await cache.waitForBackgroundWork()
        #expect(recorder.reports.last?.storeFailure?.code == .writeFailed)
    }
}
