import HTTPCacheSemantics
import Manifests
import Testing

@testable import Preloading

@Suite("Pages that do something when they are opened")
struct SideEffectPagesTests {
    @Test(
        "a glob counts for every host and for other spellings of a path",
        arguments: [
            ("https://a.test/signout", true), ("http://b.test:81/signout?now", true),
            ("https://a.test/signout#x", true),
            ("https://a.test/basket/add/7", true), ("https://a.test/s%69gnout", true),
            ("https://a.test/%73ignout", true),
            ("https://a.test//signout", true), ("https://a.test/x/../signout", true),
            ("https://a.test/x/%2e%2E/signout", true), ("https://a.test/basket%2Fadd/7", true),
            ("https://a.test/signout/", true), ("https://a.test/SIGNOUT", true), ("https://a.test/signout;x", true),
            ("https://a.test/x/..;/signout", true), ("https://a.test/signout.", true),
            ("https://a.test/signout%20", true), ("https://a.test/signout%00", true),
            ("https://a.test/signout%2F", true), ("https://a.test/sign%256fut", true),
            ("https://a.test/%5csignout", true), ("https://a.test/", false), ("https://a.test/basket", false),
            ("https://a.test/?signout", false), ("https://a.test/%+1signout", false),
        ])
    func spelling(_ url: String, _ isMarked: Bool) throws {
        let pages = try #require(SideEffectPages(paths: ["/signout", "/basket/add/**"]))
        #expect(pages.contains(url) == isMarked)
    }

    @Test("what can't be understood counts as marked, and a glob that is none is no list")
    func unclear() throws {
        for mark in ["signout", "/basket?add=1", "/x#y"] { #expect(SideEffectPages(paths: [mark]) == nil) }
        #expect(try #require(SideEffectPages(paths: ["/Sign%6fut/"])).contains("https://a.test/signout"))
        let pages = try #require(SideEffectPages(paths: ["/a"]))
        for url in ["", "/a", "ftp://a.test/", "https://"] { #expect(pages.contains(url), "\(url)") }
        #expect(SideEffectPages.everything.contains("https://a.test/"))
        #expect(!SideEffectPages().contains("https://a.test/signout"))
    }

    private static func list(_ pages: [PageNeeds]) -> ReleaseList {
        ReleaseList(release: "r", ignoreQuery: [], pages: pages, files: [])
    }

    @Test("a manifest marks pages of its own origin alone; a mark that can't be read marks all of it")
    func manifest() {
        var pages = SideEffectPages()
        pages.add(
            Self.list([
                PageNeeds(match: "/signout", needs: [], hasSideEffects: true),
                PageNeeds(match: "/item/*", needs: [.boot]),
            ]), origin: "https://shop.test/app/")
        #expect(pages.contains("https://shop.test/signout") && pages.contains("https://shop.test:443/signout"))
        #expect(!pages.contains("https://shop.test/item/1") && !pages.contains("https://other.test/signout"))
        for match in ["signout", String(repeating: "/a*b", count: 250)] {
            var unreadable = SideEffectPages()
            let many = (0..<200).map { _ in PageNeeds(match: match, needs: [], hasSideEffects: true) }
            unreadable.add(Self.list(many), origin: "https://shop.test/")
            #expect(unreadable.contains("https://shop.test/x") && !unreadable.contains("https://other.test/x"))
        }
    }

    @Test("a marked URL is asked for by no list, and by no redirect of another file")
    func listed() async throws {
        let bench = try PreloadBench()
        await bench.queue.avoid(try #require(SideEffectPages(paths: ["/signout"])), set: "app")
        bench.answer("/a.js", body: "a")
        bench.answer("/to", 302, [.location: "/signout"])
        let urls = ["/a.js", "/signout", "/to", "/Signout/"]
        let items = urls.map { PreloadItem(url: PreloadBench.base + $0, destination: .fetch) }
        let summary = await bench.preload(items)
        #expect(summary.verified == 1 && summary.refused == [.sideEffects: 3])
        #expect(bench.transport.requests.compactMap { $0.head.path }.sorted() == ["/a.js", "/to"])
    }
}
