import CacheTesting
import Foundation
import HTTPCacheSemantics
import ResponseStore
import Testing
import WireSupport

@testable import CachingProxy

@Suite("A body file that is cut short while it is open", .timeLimit(.minutes(60)))
struct ShortenedBodyTests {
    private static let content = String(repeating: "0123456789", count: 20_000)

    private let directory: TemporaryDirectory
    private let bench: WireBench

    init() async throws {
        directory = try TemporaryDirectory()
        let origin = try await WireOrigin.start { _, number in
            .init(
                text: "HTTP/1.1 200 OK\r\nCache-Control: max-age=1000\r\nX-Number: \(number)\r\n"
                    + "Content-Length: \(Self.content.utf8.count)\r\n\r\n\(Self.content)")
        }
        bench = try await WireBench(
            origin, store: try DiskResponseStore(directory: directory.store, durability: .process))
    }

    private func number() async throws -> String? {
        let answer = try #require(try await bench.ask())
        #expect(answer.status == 200 && answer.rest == Self.content)
        return answer["x-number"]
    }

    @Test(
        "is never answered from: what was stored is fetched anew, by all who ask at that moment",
        arguments: [0, 70_000])
    func shortened(_ length: UInt64) async throws {
        #expect(try await number() == "1")
        await bench.cache.waitForCommits()
        for _ in 0..<3 { #expect(try await number() == "1") }
        let bodies = directory.store + "/bodies"
        let names = try FileManager.default.contentsOfDirectory(atPath: bodies)
        #expect(names.count == 1)
        for name in names {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: bodies + "/" + name))
            try file.truncate(atOffset: length)
        }
        let numbers = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<8 { group.addTask { try await number() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(!numbers.contains("1"))
        await bench.cache.waitForCommits()
        let later = try await number()
        #expect(try await number() == later && later != "1")
    }
}
