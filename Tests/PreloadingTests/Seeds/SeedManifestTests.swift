import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Manifests
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("Seeds with a manifest", .timeLimit(.minutes(5)))
struct SeedManifestTests {
    private static let files = [("a.js", "one"), ("b.js", "two")]

    /// A seed of these files whose head has a serial.
    private static func sample(
        _ bench: ManifestBench, serial: Int64, files: [(path: String, text: String)] = files,
        list: ReleaseList? = nil, state: PublicationState = .active, expires: Duration = .seconds(86_400),
        keys: [ManifestSigningKey]? = nil
    ) throws -> SampleSeed {
        let list = list ?? ManifestBench.list(files, release: "r\(serial)")
        var head = bench.head(serial, list, state: state, expires: expires)
        head.issued = SampleSeed.built
        var sample = SampleSeed(files.map { ("/larder/" + $0.path, $0.text) })
        for place in sample.files.indices { sample.files[place].fields = [.cacheControl: "max-age=31536000"] }
        sample.manifest = (try bench.signed(head, by: keys), list.bytes)
        return sample
    }

    private static func fill(_ bench: ManifestBench, _ sample: SampleSeed) async throws -> SeedSummary {
        try await bench.bench.filling(try sample.seed(), manifest: bench.source, states: bench.states).run()
    }

    private static func code(_ bench: ManifestBench, _ sample: SampleSeed) async -> String? {
        do {
            _ = try await fill(bench, sample)
            return nil
        } catch {
            return "\((error as? SeedError)?.code, default: "\(error)")"
        }
    }

    @Test("the first update of the manifest after a seed asks for the head, and for no list and no content")
    func nothingToFetch() async throws {
        let bench = try ManifestBench(PreloadBench(.disk))
        let sample = try Self.sample(bench, serial: 3)
        let summary = try await Self.fill(bench, sample)
        #expect(summary.stored == 2 && summary.files == 2)
        #expect(try await bench.pins() == Self.files.map { ManifestBench.base + $0.0 })
        bench.publish(head: try #require(sample.manifest).head)
        let update = try await bench.preload.update()
        await bench.bench.queue.run()
        #expect(update.outcome == .queued(release: "r3", files: 2, size: ByteCount(6)))
        #expect(bench.bench.transport.requests.map(\.head.path) == ["/m/head.json"])
        #expect(await bench.bench.queue.summary.verified == 2)
    }

    @Test("the next release fetches only what the seed does not have")
    func difference() async throws {
        let bench = try ManifestBench(PreloadBench(.disk))
        _ = try await Self.fill(bench, try Self.sample(bench, serial: 3))
        try await bench.release(4, [("a.js", "one"), ("c.js", "three")])
        #expect(
            bench.bench.transport.requests.compactMap(\.head.path).filter { $0.hasPrefix("/larder/") }
                == ["/larder/c.js"])
        #expect(try await bench.pins() == ["a.js", "c.js"].map { ManifestBench.base + $0 })
    }

    @Test("the head of the seed is the least that a fresh installation accepts")
    func floor() async throws {
        let bench = try ManifestBench(PreloadBench(.disk))
        _ = try await Self.fill(bench, try Self.sample(bench, serial: 3))
        let error = await #expect(throws: ManifestUpdateError.self) {
            try await bench.release(2, [("a.js", "older")])
        }
        #expect(error?.code == .refused(.serialOlder))
        #expect(try await bench.isHit("a.js", text: "one"))
    }

    @Test("a seed that is older than what was accepted does nothing, also after its head has expired")
    func outdated() async throws {
        let bench = try ManifestBench(PreloadBench(.disk))
        let sample = try Self.sample(bench, serial: 3)
        try await bench.release(4, [("a.js", "newer")])
        let known = try bench.state
        let summary = try await Self.fill(bench, sample)
        #expect(summary.isOutdated && summary.stored == 0 && summary.isComplete)
        bench.bench.clock.advance(by: .seconds(100 * 86_400))
        try await bench.release(5, [("a.js", "newest")])
        #expect(try await Self.fill(bench, sample).isOutdated)
        #expect(try bench.state != known)
        #expect(try await bench.isHit("a.js", text: "newest"))
    }

    @Test("a head that has expired since the seed was built still fills a fresh installation, and is its floor")
    func expired() async throws {
        let bench = try ManifestBench(PreloadBench(.disk))
        let sample = try Self.sample(bench, serial: 3)
        bench.bench.clock.advance(by: .seconds(100 * 86_400))
        #expect(try await Self.fill(bench, sample).stored == 2)
        #expect(try bench.states.manifestState(of: "shop")?.serial == 3)
    }

    @Test("what is refused leaves neither a floor nor a content")
    func refused() async throws {
        let bench = try ManifestBench(PreloadBench(.disk))
        var samples: [(String, SampleSeed)] = []
        samples.append(("another key", try Self.sample(bench, serial: 3, keys: [ManifestSigningKey()])))
        samples.append(("switched off", try Self.sample(bench, serial: 3, state: .off)))
        samples.append(("expired when it was built", try Self.sample(bench, serial: 3, expires: .seconds(-4 * 86_400))))
        var other = try Self.sample(bench, serial: 3)
        other.manifest?.list = ManifestBench.list([("a.js", "three")]).bytes
        samples.append(("another list", other))
        var damaged = try Self.sample(bench, serial: 3)
        damaged.manifest?.head.removeLast()
        samples.append(("a head that is cut off", damaged))
        samples.append(
            (
                "another content than the list says",
                try Self.sample(bench, serial: 3, list: ManifestBench.list([("a.js", "three")]))
            ))
        for (why, sample) in samples {
            #expect(await Self.code(bench, sample) == "manifest", "\(why)")
        }
        try bench.setBroken(true)
        #expect(await Self.code(bench, try Self.sample(bench, serial: 3)) == "state")
        #expect(try bench.state == nil)
        #expect(try await bench.bench.uris().isEmpty)
    }

    @Test("without a source the manifest is not looked at, and the pins are the seed's")
    func unwatched() async throws {
        let bench = try ManifestBench(PreloadBench(.disk))
        let sample = try Self.sample(bench, serial: 3, keys: [ManifestSigningKey()])
        #expect(try await bench.bench.fill(sample).stored == 2)
        #expect(try await bench.pins().isEmpty)
        #expect(try bench.state == nil)
    }
}
