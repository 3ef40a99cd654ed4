import CacheTesting
import HTTPTypes

@testable import CacheEngine

/// Two representations of 100,000 bytes, and a store that has a part of the first.
enum PartOrigins {
    static let old = RangeOrigin(body: PatternedContent.octets(100_000), tag: "\"1\"")
    static let new = RangeOrigin(body: PatternedContent.octets(100_000).map { $0 ^ 0xFF }, tag: "\"2\"")

    static func bytes(_ response: EngineResponse) async throws -> [UInt8] {
        try await response.body.collect(upTo: .mebibytes(1))
    }

    /// A store with a part of the old representation; the origin has another one, or the same, from then on.
    static func bench(
        _ range: String, of origin: RangeOrigin = old, now: RangeOrigin, age: Int64 = 0
    ) async throws -> Bench {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { origin.answer($0) }
        _ = try await bench.seen("/a", [.range: range])
        bench.transport.on(Bench.base + "/a") { now.answer($0) }
        bench.clock.advance(by: .seconds(age))
        return bench
    }
}
