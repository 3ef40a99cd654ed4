import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("Filling the store from a seed", .timeLimit(.minutes(5)))
struct SeedFillingTests {
    private static let files = [("/a.js", "one"), ("/b.js", "two"), ("/c.js", "three")]

    private static let immutable: HTTPFields = [.contentType: "text/javascript", .cacheControl: "max-age=31536000"]

    @Test(
        "pages get what was in the seed, and the origin is asked for nothing; a second run does nothing",
        arguments: PreloadBench.StoreKind.allCases)
    func filled(_ kind: PreloadBench.StoreKind) async throws {
        let bench = try PreloadBench(kind)
        var sample = SampleSeed(Self.files)
        for place in sample.files.indices { sample.files[place].fields = Self.immutable }
        let first = try await bench.fill(sample)
        #expect(first.stored == 3 && first.storedSize == ByteCount(11) && first.isComplete)
        let commits = bench.store.commits
        let second = try await bench.fill(sample)
        #expect(second.held == 3 && second.stored == 0 && second.isComplete)
        #expect(bench.store.commits == commits)
        for (path, text) in Self.files {
            let answer = await bench.page(path)
            #expect(answer.cacheStatus.isHit)
            #expect(answer.head.headerFields[.age] == "3600", "it counts as received when the seed was built")
            #expect(answer.head.headerFields[.date] == HTTPDate.print(SampleSeed.built))
            #expect(try await bench.text(answer) == text)
        }
        #expect(bench.transport.requests.isEmpty)
        #expect(try await bench.cache.store.pins(of: "preload:seed:shop").count == 3)
    }

    @Test(
        "a page of a seed opens whole after a visit that got the new page, and of its files one or none",
        arguments: [[], ["/b.css"]])
    func halfVisit(_ coming: [String]) async throws {
        let bench = try PreloadBench(.disk, rules: .webViewDefaults)
        var sample = SampleSeed([("/", "one"), ("/a.js", "one"), ("/b.css", "one")])
        (sample.files[0].destination, sample.files[0].fields) = (.document, [.contentType: "text/html"])
        (sample.files[2].destination, sample.files[2].fields) = (.style, [.contentType: "text/css"])
        #expect(try await bench.fill(sample).stored == 3)
        bench.answer("/", 200, [.contentType: "text/html"], body: "two")
        for (path, type) in [("/a.js", "text/javascript"), ("/b.css", "text/css")] {
            let comes = coming.contains(path)
            bench.answer(path, comes ? 200 : 404, [.contentType: comes ? type : "text/html"], body: "two")
        }
        func shown(_ connectivity: Connectivity) async throws -> [String] {
            var texts: [String] = []
            for (path, use) in [("/", Destination.document), ("/a.js", .script), ("/b.css", .style)] {
                var fields = PreloadBench.pageFields(use == .document ? .document : use == .style ? .style : .script)
                if use != .document { fields[.referer] = PreloadBench.base + "/" }
                let answer = await bench.page(path, fields, destination: use, connectivity: connectivity)
                texts.append(try await bench.text(answer))
            }
            await bench.cache.waitForCommits()
            await bench.cache.waitForBackgroundWork()
            return texts
        }
        #expect(try await shown(.connected)[0] == "two")
        #expect(try await shown(.disconnected) == ["one", "one", "one"])
    }

    @Test("content in gzip is stored as it is, and verified without its coding")
    func coded() async throws {
        let bench = try PreloadBench(.disk)
        var sample = SampleSeed([("/zeros.js", String(repeating: "\0", count: 1_000))])
        (sample.files[0].coding, sample.files[0].coded) = (.gzip, CodedZeros.thousand)
        #expect(try await bench.fill(sample).stored == 1)
        let stored = try #require(try await bench.cache.entries(under: bench.key("/zeros.js")).first)
        #expect(stored.response.fields[.contentEncoding] == "gzip")
        #expect(stored.bodyLength == ByteCount(CodedZeros.thousand.count))
    }

    @Test("what expands beyond its size is refused as soon as it does")
    func bomb() async throws {
        let bench = try PreloadBench(.disk)
        var sample = SampleSeed([("/zeros.js", "small")])
        (sample.files[0].coding, sample.files[0].coded) = (.gzip, CodedZeros.thousand)
        let summary = try await bench.fill(sample)
        #expect(summary.failures.map(\.refusal.reason) == [.sizeExceeded] && summary.isComplete)
        #expect(try await bench.uris().isEmpty)
    }

    @Test(
        "a bit that is wrong anywhere is found: in the index before anything is stored, in a content before it is visible"
    )
    func flipped() async throws {
        let sample = SampleSeed([("/a.js", "one"), ("/b.js", "two")])
        let good = try sample.bytes()
        let contents = good.count - sample.contents.count
        for offset in good.indices {
            var bytes = good
            bytes[offset] ^= UInt8(1 << (offset % 8))
            let bench = try PreloadBench()
            guard let seed = try? Seed(SampleSeed.MemoryFile(bytes)) else {
                #expect(offset < contents, "\(offset)")
                continue
            }
            #expect(offset >= contents, "\(offset)")
            let summary = try await bench.filling(seed).run()
            #expect(summary.stored == 1 && summary.failures.map(\.refusal.reason) == [.hashMismatch], "\(offset)")
            let (right, wrong) = offset < contents + 3 ? ("/b.js", "/a.js") : ("/a.js", "/b.js")
            #expect(try await bench.uris() == [PreloadBench.base + right])
            #expect(try await bench.cache.entries(under: bench.key(wrong)).isEmpty)
        }
    }

    @Test("the order is that of groups, then that of the index")
    func order() async throws {
        let bench = try PreloadBench()
        let names = LockedBox<[String]>([])
        var sample = SampleSeed([("/lazy", "1"), ("/boot", "2"), ("/page", "3"), ("/boot2", "4")])
        for (place, group) in [PreloadGroup.lazy, .boot, .page, .boot].enumerated() {
            sample.files[place].group = group
        }
        let file = SampleSeed.MemoryFile(try sample.bytes())
        let seed = try Seed(file)
        let start = Int64(file.bytes.count - 4)
        file.reads.withLock { $0 = [] }
        _ = try await bench.filling(seed).run { summary in names.withLock { $0.append("\(summary.stored)") } }
        #expect(file.reads.withLock { $0.map { $0.offset - start } } == [1, 3, 2, 0])
        #expect(names.withLock { $0 } == ["1", "2", "3", "4"])
    }

    // MARK: What the store has

    @Test("what was received after the seed was built stays, fresh or stale", arguments: [0, 86_400])
    func newer(_ age: Int64) async throws {
        let bench = try PreloadBench(.disk)
        bench.answer("/a.js", 200, [.cacheControl: "max-age=60"], body: "newer")
        _ = try await bench.text(await bench.page("/a.js"))
        // Else the store would see that it came since the first look.
        await bench.cache.waitForCommits()
        bench.clock.advance(by: .seconds(age + 1))
        let summary = try await bench.fill(SampleSeed(Self.files))
        #expect(summary.newer == 1 && summary.stored == 2)
        #expect(try await bench.offline("/a.js") == "newer")
        #expect(try await bench.offline("/b.js") == "two")
    }

    @Test("what was received before the seed was built gives way to it, and stays if it is the same")
    func older() async throws {
        let bench = try PreloadBench(.disk)
        bench.answer("/a.js", 200, [.cacheControl: "max-age=60"], body: "older")
        bench.answer("/b.js", 200, [.cacheControl: "max-age=60", .eTag: "\"b\""], body: "two")
        for path in ["/a.js", "/b.js"] { _ = try await bench.text(await bench.page(path)) }
        bench.clock.advance(by: .seconds(86_400))
        var sample = SampleSeed(Self.files)
        sample.built = bench.clock.now
        bench.clock.advance(by: .seconds(10))
        let summary = try await bench.fill(sample)
        #expect(summary.stored == 2 && summary.held == 1)
        #expect(try await bench.offline("/a.js") == "one")
        let kept = try #require(try await bench.cache.entries(under: bench.key("/b.js")).first)
        #expect(kept.response.fields[.eTag] == "\"b\"")
    }

    @Test("by a clock that is behind the seed, nothing that is stored gives way, and what is missing is filled")
    func slowClock() async throws {
        let bench = try PreloadBench(.disk)
        bench.answer("/a.js", 200, [.cacheControl: "max-age=60"], body: "stored")
        _ = try await bench.text(await bench.page("/a.js"))
        bench.clock.advance(by: .seconds(1))
        var sample = SampleSeed(Self.files)
        sample.built = WallInstant(unixSeconds: 4_000_000_000)
        let summary = try await bench.fill(sample)
        #expect(summary.newer == 1 && summary.stored == 2)
        let stored = try #require(try await bench.cache.entries(under: bench.key("/b.js")).first)
        #expect(stored.response.responseTime == bench.clock.now)
    }

    @Test("what a page is fetching meanwhile takes the place of the seed's, and nothing waits for it")
    func meanwhile() async throws {
        let bench = try PreloadBench(.disk)
        let gate = Gate()
        bench.on("/a.js") { _ in
            try await gate.pass()
            return ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], body: "from the origin")
        }
        let page = Task { await bench.page("/a.js") }
        try await bench.transport.requests(atLeast: 1)
        let filling = bench.filling(try SampleSeed([("/a.js", "one")]).seed())
        let run = Task { try await filling.run() }
        // The page counts as quiet after ten seconds.
        try await bench.clock.sleepers(atLeast: 1)
        bench.clock.advance(by: .seconds(11))
        #expect(try await run.value.stored == 1)
        gate.open()
        let answer = await page.value
        #expect(try await bench.text(answer) == "from the origin")
        await bench.cache.waitForCommits()
        bench.clock.advance(by: .seconds(1))
        #expect(try await bench.offline("/a.js") == "from the origin")
    }

    @Test("pages use the network first: nothing is copied until they are done")
    func givesWay() async throws {
        let bench = try PreloadBench()
        let visit = bench.cache.traffic.begin()
        let filling = bench.filling(try SampleSeed(Self.files).seed())
        let run = Task { try await filling.run() }
        try await bench.clock.sleepers(atLeast: 1)
        #expect(try await bench.uris().isEmpty)
        bench.cache.traffic.end(visit)
        bench.clock.advance(by: .seconds(1))
        #expect(try await run.value.stored == 3)
    }

    @Test("a page that wants what is being copied gets it, and has it go on")
    func wanted() async throws {
        let bench = try PreloadBench()
        let visit = bench.cache.traffic.begin()
        let filling = bench.filling(try SampleSeed([("/a.js", "one")]).seed())
        let run = Task { try await filling.run() }
        try await bench.clock.sleepers(atLeast: 1)
        let answer = await bench.page("/a.js")
        #expect(try await bench.text(answer) == "one")
        #expect(try await run.value.stored == 1)
        bench.cache.traffic.end(visit)
    }

    // MARK: Breaking off

    @Test("a run that is cancelled is continued by the next, also by another process")
    func resumed() async throws {
        let bench = try PreloadBench(.disk)
        let file = SampleSeed.MemoryFile(try SampleSeed(Self.files).bytes())
        let task = LockedBox<Task<SeedSummary, any Error>?>(nil)
        let filling = bench.filling(try Seed(file))
        let gate = Gate()
        let run = Task {
            try await gate.pass()
            return try await filling.run { summary in
                if summary.stored == 1 { task.withLock { $0 }?.cancel() }
            }
        }
        task.withLock { $0 = run }
        gate.open()
        let summary = try await run.value
        #expect(summary.stored == 1 && summary.stopped?.reason == .cancelled && !summary.isComplete)
        // A second store on the directory, as after the first process was killed.
        let other = try PreloadBench(.disk, directory: bench.directory)
        file.reads.withLock { $0 = [] }
        let rest = try await other.fill(SampleSeed(Self.files))
        #expect(rest.held == 1 && rest.stored == 2 && rest.isComplete)
        #expect(try await other.cache.store.pins(of: "preload:seed:shop").count == 3)
    }

    @Test("a full disk ends the run without a trace of what did not fit; later it goes on")
    func fullDisk() async throws {
        for fault in [FaultyStorage.Fault.receiving, .appending(beyond: 2), .committing, .looking] {
            let bench = try PreloadBench(.disk)
            bench.store.setFault(fault)
            let summary = try await bench.fill(SampleSeed(Self.files))
            #expect(summary.stored == 0 && summary.stopped?.reason == .diskFull && summary.failed == 3, "\(fault)")
            bench.store.setFault(nil)
            #expect(try await bench.uris().isEmpty)
            #expect(try await bench.fill(SampleSeed(Self.files)).stored == 3)
        }
    }

    @Test("a seed of an updated app ends the pins of what it does not list any more")
    func updated() async throws {
        let bench = try PreloadBench(.disk)
        try await bench.fill(SampleSeed(Self.files))
        var next = SampleSeed([("/a.js", "changed"), ("/b.js", "two")])
        next.built = SampleSeed.built + .seconds(60)
        let summary = try await bench.fill(next)
        #expect(summary.stored == 1 && summary.held == 1)
        #expect(try await bench.cache.store.pins(of: "preload:seed:shop").count == 2)
        #expect(try await bench.offline("/a.js") == "changed")
    }

    // MARK: Policy

    @Test("what a response's own fields forbid is not stored, nor what a rule forbids")
    func forbidden() async throws {
        let rules = RuleList([Rule("never", .neverStore, when: .path("/b.js"))])
        let bench = try PreloadBench(.disk, rules: rules)
        var sample = SampleSeed(Self.files)
        sample.files[0].fields = [.cacheControl: "no-store"]
        let summary = try await bench.fill(sample)
        #expect(summary.failures.map(\.refusal.reason) == [.notStorable, .notStorable] && summary.stored == 1)
    }

    @Test("under the default rules a page is whole without a network: its document stale, names with a hash fresh")
    func disconnected() async throws {
        let bench = try PreloadBench(.disk, rules: RuleList.webViewDefaults)
        var sample = SampleSeed([
            ("/", "<script src=/assets/index-BX3kTQ9a.js>"), ("/assets/index-BX3kTQ9a.js", "run()"),
        ])
        sample.files[0].destination = .document
        sample.files[0].fields = [.contentType: "text/html"]
        #expect(try await bench.fill(sample).stored == 2)
        // With a network the name with the hash needs no validation.
        let script = await bench.page("/assets/index-BX3kTQ9a.js")
        #expect(script.cacheStatus.isHit)
        _ = try await bench.text(script)
        bench.clock.advance(by: .seconds(1))
        #expect(bench.transport.requests.isEmpty)
        var context = ExchangeContext(destination: .document, connectivity: .disconnected)
        context.checksAllowedOrigin = true
        let request = HTTPRequest(
            method: .get, scheme: "https", authority: "shop.test", path: "/",
            headerFields: PreloadBench.pageFields(.document))
        let page = await bench.cache.respond(to: EngineRequest(head: request, context: context))
        #expect(page.cacheStatus.isHit)
        #expect(try await bench.text(page) == "<script src=/assets/index-BX3kTQ9a.js>")
        #expect(bench.transport.requests.isEmpty)
    }

    @Test("what the origin compresses differently does not make its hashed names doubtful")
    func codedNames() async throws {
        let bench = try PreloadBench(.disk, rules: RuleList.webViewDefaults)
        let path = "/assets/zeros-BX3kTQ9a.js"
        var sample = SampleSeed([(path, String(repeating: "\0", count: 1_000))])
        (sample.files[0].coding, sample.files[0].coded) = (.gzip, CodedZeros.thousand)
        try await bench.fill(sample)
        var coded = CodedZeros.thousand
        // The system that wrote it, RFC 1952 §2.3.
        coded[9] = 3
        bench.on(path) { [coded] _ in
            ScriptedTransport.answer(200, [.contentEncoding: "gzip", .cacheControl: "max-age=60"], body: coded)
        }
        let request = HTTPRequest(
            method: .get, scheme: "https", authority: "shop.test", path: path, headerFields: PreloadBench.pageFields())
        let context = ExchangeContext(destination: .script, mode: .reload)
        let answer = await bench.cache.respond(to: EngineRequest(head: request, context: context))
        _ = try await answer.body.collect(upTo: .mebibytes(1))
        await bench.cache.waitForCommits()
        #expect(bench.transport.requests.count == 1)
        #expect(bench.cache.hostsWithBrokenHashes.isEmpty)
    }

    // MARK: Size

    /// 200 MB of zeros that are nowhere.
    private final class LongFile: SeedFile {
        static let size: Int64 = 200_000_000
        let prologue: [UInt8]
        let longest = LockedBox(0)
        let pieces = LockedBox(0)

        init(_ prologue: [UInt8]) { self.prologue = prologue }

        var length: ByteCount { ByteCount(Int64(prologue.count) + Self.size) }

        func read(from offset: Int64, upTo count: Int) throws -> [UInt8] {
            longest.withLock { $0 = max($0, count) }
            pieces.withLock { $0 += 1 }
            if offset < prologue.count { return Array(prologue.dropFirst(Int(offset)).prefix(count)) }
            return [UInt8](repeating: 0, count: count)
        }
    }

    @Test("200 MB in one content are copied in pieces of 64 KiB")
    func long() async throws {
        // SHA-256 of 200,000,000 zeros.
        var hasher = SHA256Hasher()
        let zeros = [UInt8](repeating: 0, count: 1_000_000)
        for _ in 0..<200 { hasher.update(zeros) }
        let content = ExpectedContent(sha256: hasher.digest(), size: ByteCount(LongFile.size))
        let index = SeedIndex(
            id: "long", built: SampleSeed.built,
            files: [
                SeedEntry(
                    url: PreloadBench.base + "/long.mp4", content: content, region: 0..<LongFile.size,
                    destination: .video)
            ])
        let file = LongFile(try index.prologue())
        let bench = try PreloadBench(.disk, budget: StoreBudget(total: .mebibytes(1_024)))
        #expect(try await bench.filling(try Seed(file)).run().stored == 1)
        #expect(file.longest.withLock { $0 } == 65_536)
        #expect(file.pieces.withLock { $0 } == 2 + Int((LongFile.size + 65_535) / 65_536))
    }
}

extension PreloadBench {
    func key(_ path: String) -> CacheKey { CacheKey(uri: Self.base + path) }
}
