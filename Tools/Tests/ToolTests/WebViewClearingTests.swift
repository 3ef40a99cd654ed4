import CacheTesting
import Foundation
import HTTPCacheSemantics
import LarderHost
import ResponseStore
import Testing
import WebVisit

/// Clearing for a user, in a real WebKitGTK behind a real store.
@Suite("clearing, with a real web view", .serialized, .timeLimit(.minutes(60)))
struct WebViewClearingTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private static let host = "shop.test"

    private static func page(_ parts: Int) -> PageOrigin.Answer {
        let images = (0..<parts).map { "<img src='/part/\($0).svg' width='9' height='9'>" }.joined()
        return .page("Shop", "Hello " + images, ["Cache-Control": "max-age=600"])
    }

    private static func part(_ path: String) -> PageOrigin.Answer {
        PageOrigin.Answer(
            fields: ["Content-Type": "image/svg+xml", "Cache-Control": "max-age=600"],
            body: "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><!-- \(path) "
                + String(repeating: "x", count: 2_000) + " --><rect width='9' height='9'/></svg>")
    }

    @Test("one call removes the responses and the web view's cookies and storage; what is not named stays")
    func oneCall() async throws {
        let scene = try await WebViewScene(folder, hosts: [Self.host]) { request in
            request.path == "/" ? Self.page(3) : Self.part(request.path)
        }
        let url = "https://\(Self.host)/"
        let look = "return document.cookie + ' ' + localStorage.getItem('mark')"
        let first = try await scene.open(
            url, script: "document.cookie = 'mark=1; Max-Age=3600'; localStorage.setItem('mark', '2'); " + look)
        #expect(first.scriptResult == #""mark=1 2""#, "\(first)")
        #expect(try await scene.open(url, script: look).scriptResult == #""mark=1 2""#)
        let before = try await scene.visitor.proxy.store.usage()
        #expect(before.entries == 4)
        let data = scene.data
        let removed = try await scene.visitor.proxy.clear(and: [.cookies], in: data)
        #expect(removed == RemovedContent(entries: 4, bytes: before.bytes))
        let after = try await scene.open(url, script: look)
        #expect(after.scriptResult == #"" 2""#, "\(after)")
        // A time of which the web view knows nothing: refused, and nothing is removed.
        await #expect(throws: HostError.self) {
            try await scene.visitor.proxy.clear(and: [.cookies], in: data, since: WallInstant(unixSeconds: 1))
        }
        #expect(try await scene.visitor.proxy.store.usage().entries == 4)
        await scene.stop()
    }

    @Test("clearing while a page loads leaves the page whole, and page and store sound")
    func whileLoading() async throws {
        let gate = Latch()
        let scene = try await WebViewScene(folder, hosts: [Self.host]) { request in
            if request.path == "/" { return Self.page(12) }
            // Half of the page is there when the store is cleared; the rest comes afterwards.
            if let number = Int(request.path.dropFirst(6).prefix { $0 != "." }), number >= 6 { await gate.pass() }
            return Self.part(request.path)
        }
        let url = "https://\(Self.host)/"
        let count = "return [...document.images].filter(image => image.naturalWidth > 0).length"
        async let loading = scene.open(url, script: count)
        await gate.arrived()
        let store = scene.visitor.proxy.store
        try await scene.visitor.proxy.remove(.everything)
        gate.open()
        let first = try await loading
        #expect(first.scriptResult == "12", "\(first)")
        #expect(try await store.verify().problems.isEmpty)
        // And the same again with everything stored, cleared in the middle of what the store answers.
        async let again = scene.open(url, script: count)
        for _ in 0..<20 { try await scene.visitor.proxy.remove(.everything) }
        #expect(try await again.scriptResult == "12")
        #expect(try await store.verify().problems.isEmpty)
        try await scene.visitor.proxy.remove(.everything)
        #expect(try await store.usage().entries == 0)
        await scene.stop()
    }
}
