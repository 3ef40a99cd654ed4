import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Manifests
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("Manifests that a queue follows", .timeLimit(.minutes(5)))
struct ManifestPreloadTests {
    private static let files = [("a.js", "one"), ("b.js", "two")]
    private static let newer = [("a.js", "one"), ("c.js", "three")]

    @Test("the files of a release answer pages without the network; the head is asked for without conditions")
    func followed() async throws {
        let bench = try ManifestBench(PreloadBench(.disk))
        let update = try await bench.release(1, Self.files)
        #expect(update.outcome == .queued(release: "r1", files: 2, size: ByteCount(6)) && !update.isUnchanged)
        for (path, text) in Self.files {
            #expect(try await bench.isHit(path, text: text))
        }
        let count = bench.bench.transport.requests.count
        #expect(try await bench.preload.update().isUnchanged)
        #expect(bench.bench.transport.requests.count == count + 1)
        // Where all files of a server have one time, heads of one length have one tag.
        let asked = bench.bench.transport.requests.last?.head.headerFields
        #expect(asked?[.ifNoneMatch] == nil && asked?[.cacheControl] == "no-cache")
    }

    @Test(
        "RFC 9110 §8.8.2.2: a head without an entity tag is fetched anew, since a second one may be of the same second")
    func withoutTag() async throws {
        let bench = try ManifestBench(PreloadBench(.disk))
        _ = try await bench.release(1, Self.files)
        let head = try bench.signed(bench.head(2, ManifestBench.list(Self.files, release: "r2")))
        bench.publish(ManifestBench.list(Self.files, release: "r2"))
        for _ in 0..<2 {
            bench.bench.transport.on(ManifestBench.url) { request in
                request.head.headerFields.contains(.ifModifiedSince)
                    ? ScriptedTransport.answer(304)
                    : ScriptedTransport.answer(
                        200, [.lastModified: "Tue, 14 Nov 2023 22:13:20 GMT", .cacheControl: "no-cache"], body: head)
            }
            _ = try await bench.preload.update()
            #expect(bench.bench.transport.requests.last?.head.headerFields[.ifModifiedSince] == nil)
        }
    }

    @Test("`ignoreQuery`: a page may add the parameters that a list names, and no others")
    func ignoredQuery() async throws {
        let bench = try ManifestBench(PreloadBench(.disk))
        var list = ManifestBench.list([("a.js", "one")], release: "r1")
        list.ignoreQuery = ["v", "not \" one"]
        bench.publish(files: [("a.js", "one")])
        bench.publish(list)
        bench.publish(head: try bench.signed(bench.head(1, list)))
        _ = try await bench.preload.update()
        await bench.bench.queue.run()
        for query in ["", "?v=1", "?v=2&v=3"] {
            #expect(try await bench.isHit("a.js" + query, text: "one"), "\(query)")
        }
        for query in ["?w=1", "?v=1&w=1"] { #expect(try await !bench.isHit("a.js" + query), "\(query)") }
    }

    @Test("a newer release fetches what is new; a rollback has a higher serial, and fetches only what is gone")
    func order() async throws {
        let bench = try ManifestBench(PreloadBench())
        try await bench.release(1, Self.files)
        try await bench.release(2, Self.newer)
        #expect(try await bench.pins() == ["a.js", "c.js"].map { ManifestBench.base + $0 })
        let asked = bench.bench.transport.requests.count
        let update = try await bench.release(3, Self.files)
        #expect(update.serial == 3)
        // The head, and its list by the name of this release; `b.js` was still stored.
        #expect(bench.bench.transport.requests.count == asked + 2)
        #expect(try await bench.pins() == ["a.js", "b.js"].map { ManifestBench.base + $0 })
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        var code: String
        var why: String
        var publish: @Sendable (ManifestBench) throws -> Void
        var testDescription: String { "\(code): \(why)" }
    }

    private static let other = ManifestBench.list([("d.js", "four")], release: "bad")

    private static func refused(
        _ code: String, _ why: String, _ publish: @escaping @Sendable (ManifestBench) throws -> Void
    ) -> Refused {
        Refused(code: code, why: why, publish: publish)
    }

    private static let refusals: [Refused] = [
        refused("bad-signature", "one flipped bit") { bench in
            var bytes = try bench.signed(bench.head(9, other))
            bytes[bytes.count - 10] ^= 1
            bench.publish(head: bytes)
        },
        refused("unknown-key", "a wrong key") { bench in
            bench.publish(head: try bench.signed(bench.head(9, other), by: [ManifestSigningKey()]))
        },
        refused("unsigned", "no key") { bench in bench.publish(head: bench.head(9, other).payload) },
        refused("expired", "an expired head") { bench in
            bench.publish(head: try bench.signed(bench.head(9, other, expires: .seconds(1))))
            bench.bench.clock.advance(by: .seconds(2 * 86_400))
        },
        refused("serial-older", "an older head") { bench in
            bench.publish(head: try bench.signed(bench.head(1, other)))
        },
        refused("serial-reused", "another head with the same serial") { bench in
            bench.publish(head: try bench.signed(bench.head(2, other)))
        },
        refused("malformed", "a head that was cut off") { bench in
            bench.publish(head: Array(try bench.signed(bench.head(9, other)).prefix(60)))
        },
        refused("too-large", "a head of 70 KiB") { bench in
            bench.publish(head: try bench.signed(bench.head(9, other)) + [UInt8](repeating: 0x20, count: 70_000))
        },
        refused("list-hash", "a list with one flipped bit") { bench in
            bench.publish(head: try bench.signed(bench.head(9, other)))
            var bytes = other.bytes
            bytes[20] ^= 1
            let changed = bytes
            bench.bench.transport.on(ManifestBench.lists + Release.ListReference(to: other.bytes).path) { _ in
                ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], body: changed)
            }
        },
        refused("list-size", "a list that was cut off") { bench in
            bench.publish(head: try bench.signed(bench.head(9, other)))
            let bytes = Array(other.bytes.dropLast(5))
            bench.bench.transport.on(ManifestBench.lists + Release.ListReference(to: other.bytes).path) { _ in
                ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], body: bytes)
            }
        },
        refused("path-outside-base", "a path outside the base") { bench in
            let list = ManifestBench.list([("../x.js", "four")])
            bench.publish(list)
            bench.publish(head: try bench.signed(bench.head(9, list)))
        },
        refused("unavailable", "a head that is redirected to another host") { bench in
            bench.bench.transport.on(ManifestBench.url) { _ in
                ScriptedTransport.answer(302, [.location: "https://evil.test/head.json"])
            }
        },
        refused("unavailable", "a list that is not there") { bench in
            bench.publish(head: try bench.signed(bench.head(9, other)))
            bench.bench.transport.on(ManifestBench.lists + Release.ListReference(to: other.bytes).path) { _ in
                ScriptedTransport.answer(404)
            }
        },
        refused("unavailable", "a server that is gone, though a stale head may answer for it") { bench in
            bench.bench.cache.rules = .webViewDefaults
            bench.bench.transport.on(ManifestBench.url) { _ in
                throw TransportError(code: .connectionFailed, message: "")
            }
        },
        refused("offline", "no network") { $0.bench.connectivity.report(.disconnected) },
        refused("constrained", "Low Data Mode") { $0.bench.connectivity.report(.init(isConstrained: true)) },
        refused("state", "what was accepted can't be kept") { bench in
            bench.publish(other)
            bench.publish(head: try bench.signed(bench.head(9, other)))
            try bench.setBroken(true)
        },
    ]

    @Test("what is refused leaves the old state working, and the next good head is taken", arguments: refusals)
    func refusal(_ row: Refused) async throws {
        let bench = try ManifestBench(PreloadBench())
        try await bench.release(1, Self.files)
        try await bench.release(2, Self.files)
        let (state, pins) = (try bench.state, try await bench.pins())
        try row.publish(bench)
        let error = await #expect(throws: ManifestUpdateError.self) { try await bench.preload.update() }
        #expect(error?.code.description == row.code)
        #expect(try bench.state == state)
        #expect(try await bench.pins() == pins && pins.count == 2)
        await bench.bench.queue.run()
        #expect(try await bench.isHit("a.js"))
        bench.bench.connectivity.report(.connected)
        try bench.setBroken(false)
        #expect(try await bench.release(10, Self.newer).serial == 10)
        #expect(try await bench.isHit("c.js"))
    }

    @Test("one bad file is refused by itself; the others are used, and the good one that was there stays")
    func badFile() async throws {
        let bench = try ManifestBench(PreloadBench())
        try await bench.release(1, Self.files)
        let list = ManifestBench.list([("a.js", "changed"), ("c.js", "three")], release: "r2")
        bench.publish(list)
        bench.publish(files: [("a.js", "not what was listed"), ("c.js", "three")])
        bench.publish(head: try bench.signed(bench.head(2, list)))
        _ = try await bench.preload.update()
        let summary = await bench.bench.queue.run()
        #expect(summary.verified == 1 && summary.refused == [.sizeExceeded: 1])
        #expect(try await bench.isHit("a.js", text: "one"))
        #expect(try await bench.isHit("c.js"))
    }

    @Test("paused, too new for the app: nothing is fetched; off: the pins go, and what is stored stays for pages")
    func choices() async throws {
        let bench = try ManifestBench(PreloadBench())
        try await bench.release(1, Self.files)
        let asked = bench.bench.transport.requests.count
        bench.publish(head: try bench.signed(bench.head(2, Self.other, state: .paused)))
        #expect(try await bench.preload.update().outcome.code == .paused)
        bench.publish(head: try bench.signed(bench.head(3, Self.other, minimumApp: AppVersion("3.0"))))
        #expect(try await bench.preload.update().outcome.code == .appTooOld)
        #expect(try bench.states.manifestState(of: "shop")?.shown == 1)
        bench.publish(head: try bench.signed(bench.head(4, Self.other, state: .off)))
        #expect(try await bench.preload.update().outcome.code == .off)
        #expect(bench.bench.transport.requests.count == asked + 3)
        #expect(try await bench.pins().isEmpty)
        #expect(try bench.states.manifestState(of: "shop")?.shown == 0)
        #expect(try await bench.isHit("a.js"))
    }

    @Test("a stored list that is not the one that the head names is fetched anew")
    func damagedList() async throws {
        let bench = try ManifestBench(PreloadBench())
        let list = ManifestBench.list(Self.files, release: "r1")
        let path = "/m/" + Release.ListReference(to: list.bytes).path
        bench.bench.answer(path, 200, PreloadBench.fresh, body: "an error page that a server calls a success")
        _ = try await bench.bench.text(await bench.bench.page(path))
        bench.bench.clock.advance(by: .seconds(1))
        #expect(try await bench.release(1, Self.files).serial == 1)
        #expect(try await bench.isHit("b.js"))
    }

    @Test("a head that comes a byte at a time is given up after its time, and so is a list", arguments: [true, false])
    func trickling(_ isHead: Bool) async throws {
        let bench = try ManifestBench(PreloadBench())
        try await bench.release(1, Self.files)
        let list = ManifestBench.list(Self.newer, release: "r2")
        bench.publish(head: try bench.signed(bench.head(2, list)))
        let body = ScriptedBody()
        let url = isHead ? ManifestBench.url : ManifestBench.lists + Release.ListReference(to: list.bytes).path
        bench.bench.transport.on(url) { _ in ScriptedTransport.answer(200, PreloadBench.fresh, streaming: body) }
        let preload = bench.preload
        let update = Task { try await preload.update() }
        var sent: Int64 = 0
        while !body.isCancelled {
            body.send("{")
            sent += 1
            while body.pulledBytes < sent, !body.isCancelled { await Task.yield() }
            bench.bench.clock.advance(by: .seconds(5))
        }
        let error = await #expect(throws: ManifestUpdateError.self) { try await update.value }
        #expect(error?.code == .unavailable && error?.message.contains("seconds") == true)
    }

    @Test("an update that is cancelled ends at once, whatever the server does")
    func cancelled() async throws {
        let bench = try ManifestBench(PreloadBench())
        let body = ScriptedBody()
        bench.bench.transport.on(ManifestBench.url) { _ in
            ScriptedTransport.answer(200, PreloadBench.fresh, streaming: body)
        }
        let preload = bench.preload
        let update = Task { try await preload.update() }
        try await body.pulls(atLeast: 1)
        update.cancel()
        let error = await #expect(throws: ManifestUpdateError.self) { try await update.value }
        #expect(error?.code == .cancelled)
    }

    struct Overtaken: Sendable, CustomTestStringConvertible {
        var slow: Int64
        var fast: Int64
        var testDescription: String { "serial \(slow) waits for its list, and \(fast) is accepted meanwhile" }
    }

    @Test(
        "two at once, as in two processes: the later serial and its revocation stay, whoever is the slower one",
        arguments: [Overtaken(slow: 5, fast: 9), Overtaken(slow: 9, fast: 5)])
    func overtaken(_ row: Overtaken) async throws {
        let bench = try ManifestBench(PreloadBench())
        let stolen = try #require(bench.key.publicKey?.id)
        let list = ManifestBench.list(Self.files, release: "slow")
        let gate = Gate()
        func publish(_ serial: Int64) throws {
            // The later one revokes the key that the other one is signed by.
            let head = bench.head(serial, list, revokes: serial == 9 ? [stolen] : [])
            bench.publish(head: try bench.signed(head, by: [serial == 9 ? bench.recovery : bench.key]))
        }
        bench.bench.transport.on(ManifestBench.lists + Release.ListReference(to: list.bytes).path) { _ in
            try await gate.pass()
            return ScriptedTransport.answer(200, PreloadBench.fresh, body: list.bytes)
        }
        try publish(row.slow)
        let preload = bench.preload
        let slow = Task { try await preload.update() }
        try await gate.arrivals(1)
        let other = ManifestPreload(bench.source, queue: try bench.bench.restarted().queue, states: bench.states)
        var head = bench.head(row.fast, nil, state: .paused, revokes: row.fast == 9 ? [stolen] : [])
        head.releases = []
        bench.publish(head: try bench.signed(head, by: [row.fast == 9 ? bench.recovery : bench.key]))
        #expect(try await other.update().serial == row.fast)
        gate.open()
        let outcome = await slow.result
        if row.slow == 5 {
            let error = #expect(throws: ManifestUpdateError.self) { try outcome.get() }
            #expect(
                [.refused(.serialOlder), .refused(.revokedKey)].contains(error?.code), "\(String(describing: error))")
        } else {
            #expect(try outcome.get().serial == 9)
        }
        let kept = try #require(try bench.states.manifestState(of: "shop"))
        #expect(kept.serial == 9 && kept.revoked == [stolen])
        // Whoever has the key can't go on from what was in between.
        try publish(6)
        let error = await #expect(throws: ManifestUpdateError.self) { try await other.update() }
        #expect(error?.code == .refused(.revokedKey))
    }

    @Test("an expired head is refused whatever `Date` the server states, and a clock that is right")
    func oldDate() async throws {
        let bench = try ManifestBench(PreloadBench())
        let list = ManifestBench.list(Self.files, release: "r1")
        let head = try bench.signed(bench.head(1, list))
        let date = HTTPDate.print(bench.bench.clock.now)
        bench.publish(list)
        bench.bench.transport.on(ManifestBench.url) { _ in ScriptedTransport.answer(200, [.date: date], body: head) }
        bench.bench.clock.advance(by: .seconds(100 * 86_400))
        let error = await #expect(throws: ManifestUpdateError.self) { try await bench.preload.update() }
        #expect(error?.code == .refused(.expired))
    }

    @Test("keys are revoked by the recovery key, and what was fetched stays")
    func revoked() async throws {
        let bench = try ManifestBench(PreloadBench())
        try await bench.release(1, Self.files)
        let stolen = try #require(bench.key.publicKey?.id)
        let list = ManifestBench.list(Self.newer, release: "r2")
        bench.publish(files: Self.newer)
        bench.publish(list)
        bench.publish(head: try bench.signed(bench.head(2, list, revokes: [stolen]), by: [bench.recovery]))
        #expect(try await bench.preload.update().serial == 2)
        bench.publish(head: try bench.signed(bench.head(3, list)))
        let error = await #expect(throws: ManifestUpdateError.self) { try await bench.preload.update() }
        #expect(error?.code == .refused(.revokedKey))
    }
}

extension ManifestUpdate.Outcome {
    var code: ManifestRefusal.Code? {
        switch self {
        case .held(let refusal), .unpinned(let refusal): refusal.code
        case .queued, .notYet: nil
        }
    }
}
