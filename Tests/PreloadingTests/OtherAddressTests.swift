import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Manifests
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("Files and groups under the addresses that pages and hosts use", .timeLimit(.minutes(5)))
struct OtherAddressTests {
    @Test("`also`: other addresses answer with the file where the host has it there, and are not missed elsewhere")
    func otherAddresses() async throws {
        let bench = try ManifestBench(PreloadBench(.disk) { $0.atOnce = 1 })
        for (release, text) in [("r1", "one"), ("r2", "two")] {
            var list = ManifestBench.list([("about.html", text), ("a+b.js", text)], release: release)
            list.files[0].use = .document
            list.files[0].also = ["about", "gone", "other", "moved", "home"]
            list.files[1].also = ["a%2Bb.js"]
            bench.publish(files: [("about.html", text), ("about", text), ("a+b.js", text), ("a%2Bb.js", text)])
            bench.publish(files: [("other", "another page")])
            // Staged as another file meanwhile: that one is left alone.
            bench.bench.on("/larder/home") { _ in ScriptedTransport.answer(302, [.location: "a+b.js"]) }
            bench.bench.on("/larder/gone") { _ in ScriptedTransport.answer(404) }
            bench.bench.on("/larder/moved") { _ in ScriptedTransport.answer(301, [.location: "about.html"]) }
            bench.publish(list)
            bench.publish(head: try bench.signed(bench.head(release == "r1" ? 1 : 2, list)))
            let update = try await bench.preload.update()
            #expect(update.outcome == .queued(release: release, files: 2, size: ByteCount(6)))
            let summary = await bench.bench.queue.run()
            #expect(summary.items == 2 && summary.verified == 2 && summary.isSettled, "\(summary)")
            for path in ["about.html", "about", "a+b.js", "a%2Bb.js"] {
                #expect(try await bench.isHit(path, text: text), "\(path)")
            }
            // The next start asks for the head alone: what the host answers elsewhere is known.
            let asked = bench.bench.transport.requests.count
            let again = try bench.bench.restarted()
            _ = try await ManifestPreload(bench.source, queue: again.queue, states: bench.states).update()
            #expect(await again.queue.run().verified == 2)
            #expect(bench.bench.transport.requests.count == asked + 1)
            // The host was asked there once: the next release is copied from the file.
            let other = bench.bench.transport.requests.count { $0.head.path == "/larder/about" }
            #expect(other == 1)
        }
        for path in ["gone", "other", "home"] { #expect(try await !bench.isHit(path)) }
    }

    @Test("a new page that a visit has stored is asked about at its other addresses")
    func visited() async throws {
        let bench = try ManifestBench(PreloadBench(.disk) { $0.atOnce = 1 })
        var list = ManifestBench.list([("about.html", "one")], release: "r1")
        for serial in [1, 2] {
            list.files = list.files.map { file in
                var file = file
                (file.use, file.also) = (.document, [String(file.path.dropLast(5))])
                return file
            }
            bench.publish(files: [("about.html", "one"), ("about", "one"), ("news.html", "new"), ("news", "new")])
            bench.publish(list)
            bench.publish(head: try bench.signed(bench.head(Int64(serial), list)))
            if serial == 2 { #expect(try await !bench.isHit("news.html")) }
            _ = try await bench.preload.update()
            #expect(await bench.bench.queue.run().isSettled)
            list = ManifestBench.list([("about.html", "one"), ("news.html", "new")], release: "r2")
        }
        #expect(try await bench.isHit("news", text: "new"))
        #expect(bench.bench.transport.requests.count { $0.head.path == "/larder/about" } == 1)
    }

    @Test("a host that redirects to another spelling of the file's address is followed there", arguments: [1, 4])
    func otherSpelling(_ atOnce: Int) async throws {
        let bench = try ManifestBench(PreloadBench(.disk) { $0.atOnce = atOnce })
        let moved: HTTPFields = [.location: "/larder/price%241/", .cacheControl: "max-age=600"]
        for path in ["price$1", "price%241"] {
            bench.bench.on("/larder/" + path) { _ in ScriptedTransport.answer(301, moved) }
        }
        for (serial, text) in [(1, "one"), (2, "two"), (3, "three")] {
            var list = ManifestBench.list([("price$1/", text)], release: "r\(serial)")
            list.files[0].use = .document
            list.files[0].also = ["price$1", "price$1/index.html", "price%241/", "price%241", "price%241/index.html"]
            let spellings = ["price$1/", "price$1/index.html", "price%241/", "price%241/index.html"]
            bench.publish(files: spellings.map { ($0, text) })
            bench.publish(list)
            bench.publish(head: try bench.signed(bench.head(Int64(serial), list)))
            _ = try await bench.preload.update()
            let summary = await bench.bench.queue.run()
            #expect(summary.isSettled, "\(summary)")
            for path in spellings { #expect(try await bench.isHit(path, text: text), "\(path)") }
            for path in ["price$1", "price%241"] {
                let redirect = await bench.bench.page("/larder/" + path)
                #expect(redirect.cacheStatus.isHit && redirect.head.status.code == 301)
            }
        }
    }

    @Test(
        "the groups of a page are found below a folder of the host, by its path there and by its whole path",
        arguments: [
            ("/my%20app/about/", ["a.js"]), ("/my%20app/a%20b.html", ["b.js"]), ("/my%20app/item/7", ["c.js"]),
            ("/my%20app/whole", ["d.js"]), ("/other/", []), ("/my%20app/", []),
        ])
    func belowFolder(_ page: String, _ needed: [String]) {
        var list = ManifestBench.list(["a.js", "b.js", "c.js", "d.js"].map { ($0, $0) })
        let groups = ["/about/", "/a b.html", "/item", "/my%20app/whole"]
        for (index, group) in groups.enumerated() { list.files[index].group = .page(group) }
        list.pages = [PageNeeds(match: "/item/*", needs: [.page("/item")])]
        let base = "https://shop.test/my%20app/"
        let files = PageFiles(list, base: base, origin: "https://shop.test")
        #expect(files.needed(by: "https://shop.test" + page) == Set(needed.map { base + $0 }))
    }
}
