import CacheTesting
import Foundation
import Glibc
import LarderHost
import Testing
import WebVisit

/// Clearing what a real WebKitGTK keeps on its own.
@Suite("a real web view's own data", .serialized)
struct WebViewDataTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private static func site(_ hold: Latch) -> PageOrigin.Script {
        { request in
            switch request.path {
            case "/":
                return .page("Data", "", ["Cache-Control": "no-store", "Strict-Transport-Security": "max-age=3600"])
            case "/session":
                return .page(
                    "Data", "<script>sessionStorage.setItem('mark', '1')</script>", ["Cache-Control": "no-store"])
            case "/pictures":
                return .page(
                    "Data", "<img src='/assets/mark.5d60c2ed348e2db0.svg' width='9' height='9'>",
                    ["Cache-Control": "no-store"])
            case "/assets/mark.5d60c2ed348e2db0.svg":
                return PageOrigin.Answer(
                    fields: ["Content-Type": "image/svg+xml", "Cache-Control": "max-age=600"],
                    body:
                        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>"
                )
            case "/worker.js":
                return PageOrigin.Answer(
                    fields: ["Content-Type": "text/javascript", "Cache-Control": "no-store"],
                    body: "self.addEventListener('install', () => self.skipWaiting())")
            case "/assets/kept.5d60c2ed348e2db0.js":
                return PageOrigin.Answer(
                    fields: ["Content-Type": "text/javascript", "Cache-Control": "max-age=600"], body: "kept")
            case "/hold":
                await hold.pass()
                return PageOrigin.Answer(fields: ["Cache-Control": "no-store"])
            default: return .notFound
            }
        }
    }

    /// Leaves something of every kind behind.
    private static let fill = """
        document.cookie = "mark=1; Max-Age=3600";
        localStorage.setItem("mark", "1");
        sessionStorage.setItem("mark", "1");
        await new Promise((resolve, reject) => {
            const opening = indexedDB.open("mark", 1);
            opening.onupgradeneeded = () => opening.result.createObjectStore("things").put("1", "mark");
            opening.onsuccess = () => { opening.result.close(); resolve(); };
            opening.onerror = () => reject(opening.error);
        });
        await (await caches.open("mark")).put("/mark", new Response("1"));
        await navigator.serviceWorker.register("/worker.js");
        await navigator.serviceWorker.ready;
        """

    /// The kinds of which something is there, by name and in that order.
    private static let look = """
        const databases = await indexedDB.databases();
        const found = {
            cookies: document.cookie.includes("mark=1"),
            fetchCache: await caches.has("mark"),
            indexedDBDatabases: databases.some(database => database.name === "mark"),
            localStorage: localStorage.getItem("mark") === "1",
            serviceWorkerRegistrations: (await navigator.serviceWorker.getRegistrations()).length > 0,
            sessionStorage: sessionStorage.getItem("mark") === "1",
        };
        return Object.keys(found).filter(name => found[name]).join(" ");
        """

    private func scene(_ hold: Latch = Latch()) async throws -> WebViewScene {
        try await WebViewScene(folder, hosts: ["app.test"], Self.site(hold))
    }

    private func visit(
        _ scene: WebViewScene, _ script: String, path: String = "/", clearing: WebsiteDataClearing? = nil
    ) async throws -> String {
        let result = try await scene.open(
            "https://app.test\(path)", usesDiskCache: true, clearing: clearing, script: script)
        #expect(result.scriptError == nil)
        return result.scriptResult?.trimmingCharacters(in: ["\""]) ?? "nothing"
    }

    private func clear(_ kinds: Set<WebsiteDataKind>, since: Double? = nil) async throws {
        try await WebViewProcess(display: Display()).clear(
            WebsiteDataClearing(kinds, modifiedSince: since, dataDirectory: folder.path + "/data"))
    }

    /// What outlives a visit in a kept directory, and can be seen by a page.
    private static let lasting: [WebsiteDataKind] = [
        .cookies, .fetchCache, .indexedDBDatabases, .localStorage, .serviceWorkerRegistrations,
    ]
    private static func names(_ kinds: [WebsiteDataKind]) -> String { kinds.map(\.rawValue).joined(separator: " ") }

    @Test("what is named is gone at the next visit, and every other kind stays", arguments: lasting)
    func one(_ kind: WebsiteDataKind) async throws {
        let scene = try await scene()
        _ = try await visit(scene, Self.fill)
        #expect(try await visit(scene, Self.look) == Self.names(Self.lasting))
        try await clear([kind])
        // WebKit takes the registrations along with the caches.
        let gone = kind == .fetchCache ? [kind, .serviceWorkerRegistrations] : [kind]
        #expect(try await visit(scene, Self.look) == Self.names(Self.lasting.filter { !gone.contains($0) }))
        await scene.stop()
    }

    @Test("of one site: the data of its registrable domain goes, that of others stays")
    func site() async throws {
        let scene = try await WebViewScene(folder, hosts: ["www.app.test", "other.test"], Self.site(Latch()))
        func look(_ host: String) async throws -> String? {
            let result = try await scene.open("https://\(host)/", usesDiskCache: true, script: Self.look)
            return result.scriptResult?.trimmingCharacters(in: ["\""])
        }
        for host in ["www.app.test", "other.test"] {
            let filled = try await scene.open("https://\(host)/", usesDiskCache: true, script: Self.fill)
            #expect(filled.scriptError == nil)
        }
        for (cleared, left) in [("none.test", Self.names(Self.lasting)), ("www.app.test", "")] {
            try await WebViewProcess(display: Display()).clear(
                WebsiteDataClearing(
                    Set(WebsiteDataKind.allCases), host: cleared, dataDirectory: folder.path + "/data"))
            #expect(try await look("www.app.test") == left)
            #expect(try await look("other.test") == Self.names(Self.lasting))
        }
        await scene.stop()
    }

    @Test("all kinds at once, and none")
    func all() async throws {
        let scene = try await scene()
        _ = try await visit(scene, Self.fill)
        try await clear([])
        #expect(try await visit(scene, Self.look) == Self.names(Self.lasting))
        try await clear(Set(WebsiteDataKind.allCases))
        #expect(try await visit(scene, Self.look) == "")
        await scene.stop()
    }

    @Test(
        "under a page that is open: it sees what is named go, and the rest stay",
        arguments: [[], [.sessionStorage], [.localStorage, .cookies]] as [Set<WebsiteDataKind>])
    func underAPage(_ kinds: Set<WebsiteDataKind>) async throws {
        let scene = try await scene()
        _ = try await visit(scene, Self.fill)
        let there = Self.lasting + [.sessionStorage]
        #expect(
            try await visit(scene, Self.look, path: "/session", clearing: WebsiteDataClearing(kinds))
                == Self.names(there.filter { !kinds.contains($0) }))
        await scene.stop()
    }

    @Test(
        "what web processes hold of resources is asked for again",
        arguments: [[], [.memoryCache]] as [Set<WebsiteDataKind>])
    func memoryCache(_ kinds: Set<WebsiteDataKind>) async throws {
        let scene = try await scene()
        // Another document with the same picture.
        let script = """
            const frame = document.createElement("iframe");
            await new Promise(resolve => { frame.onload = resolve; frame.src = "/pictures"; document.body.append(frame); });
            return frame.contentDocument.images[0].naturalWidth;
            """
        let result = try await scene.open(
            "https://app.test/pictures", clearing: WebsiteDataClearing(kinds), script: script)
        #expect(result.scriptResult == "9")
        #expect(
            await scene.reports().filter { $0.uri.hasSuffix("/assets/mark.5d60c2ed348e2db0.svg") }.count == 1
                + kinds.count)
        await scene.stop()
    }

    /// Whether the web view's own cache answers; what reaches the proxy was not answered by it.
    private func diskCacheAnswers(_ scene: WebViewScene) async throws -> Bool {
        _ = await scene.reports()
        #expect(
            try await visit(scene, "return await (await fetch('/assets/kept.5d60c2ed348e2db0.js')).text()") == "kept")
        return await !scene.reports().contains { $0.uri == "https://app.test/assets/kept.5d60c2ed348e2db0.js" }
    }

    @Test("the disk cache answers until it is cleared")
    func diskCache() async throws {
        let hold = Latch()
        let scene = try await scene(hold)
        async let filled = visit(
            scene,
            "const text = await (await fetch('/assets/kept.5d60c2ed348e2db0.js')).text(); await fetch('/hold'); return text"
        )
        // WebKit writes when it finds the time, and drops what is not written by the end of the process.
        func isWritten() -> Bool {
            let cache = folder.path + "/data/cache/WebKitCache"
            let files = FileManager.default.enumerator(atPath: cache)?.allObjects as? [String] ?? []
            return files.contains { path in
                let size = try? FileManager.default.attributesOfItem(atPath: "\(cache)/\(path)")[.size] as? NSNumber
                return path.contains("/Resource/") && (size?.intValue ?? 0) > 0
            }
        }
        while !isWritten() { await Task.yield() }
        hold.open()
        #expect(try await filled == "kept")
        #expect(try await diskCacheAnswers(scene))
        try await clear([.localStorage, .cookies, .fetchCache, .memoryCache])
        #expect(try await diskCacheAnswers(scene))
        try await clear([.diskCache])
        #expect(try await !diskCacheAnswers(scene))
        await scene.stop()
    }

    @Test("a host that asked for TLS only is asked in plain text again", arguments: [false, true])
    func strictTransport(_ sinceATime: Bool) async throws {
        let scene = try await scene()
        let before = Self.now
        _ = try await visit(scene, Self.look)
        func address() async throws -> String? { try await scene.open("http://app.test/").finalURL }
        #expect(try await address() == "https://app.test/")
        try await clear([.cookies, .diskCache])
        try await clear([.hstsCache], since: Self.now)
        #expect(try await address() == "https://app.test/")
        try await clear([.hstsCache], since: sinceATime ? before : nil)
        #expect(try await address() == "http://app.test/")
        await scene.stop()
    }

    /// Seconds since 1970, as files are stamped with.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("since a time: what was modified before it stays, and a time to come is not for ever")
    func since() async throws {
        let scene = try await scene()
        let kinds: Set<WebsiteDataKind> = [.fetchCache, .indexedDBDatabases, .localStorage]
        // These go with the caches, whatever the time.
        let withThem = WebsiteDataKind.serviceWorkerRegistrations
        let before = Self.now
        _ = try await visit(scene, Self.fill)
        try await clear(kinds, since: Self.now + 3_600)
        #expect(try await visit(scene, Self.look) == Self.names(Self.lasting))
        // A moment that lies behind everything that was written, and not to be taken for "for ever".
        let written = Self.now
        while Self.now.rounded(.down) <= written { await Task.yield() }
        try await clear(kinds, since: Self.now)
        #expect(try await visit(scene, Self.look) == Self.names(Self.lasting.filter { $0 != withThem }))
        try await clear(kinds, since: before)
        let left = try await visit(scene, Self.look)
        #expect(left == Self.names([.cookies]))
        await scene.stop()
    }

    @Test("a kind that WebKitGTK can't remove since a time is refused, and nothing is removed")
    func refused() async throws {
        let scene = try await scene()
        _ = try await visit(scene, Self.fill)
        let kinds: [WebsiteDataKind] = [
            .cookies, .diskCache, .memoryCache, .sessionStorage, .serviceWorkerRegistrations, .hashSalt,
            .resourceLoadStatistics,
        ]
        for kind in kinds {
            let error = await #expect(throws: HostError.self) { try await clear([kind, .localStorage], since: 0) }
            #expect(error?.code == .badUse && error?.message.contains("remove \(kind.rawValue) since") == true)
        }
        #expect(try await visit(scene, Self.look) == Self.names(Self.lasting))
        await scene.stop()
    }

    @Test("larder open --data keeps the view's own data for the next time; without it nothing is kept")
    func open() async throws {
        let origin = try await PageOrigin.start { _ in
            .page(
                "none",
                "Counted<script>localStorage.count = Number(localStorage.count || 0) + 1; document.title = localStorage.count;"
                    + "</script>", ["Cache-Control": "no-store"])
        }
        let call = [
            "open", "http://app.test/", "--json", "--store", folder.store, "--resolve",
            "app.test:80:127.0.0.1:\(origin.port)",
        ]
        for (data, title) in [
            (["--data", folder.path + "/kept"], 1), ([], 1), (["--data", folder.path + "/kept"], 2),
        ] {
            let opened = try await ToolProcess.run(ToolProcess.larder, call + data)
            #expect(opened.status == 0 && opened.out.contains("\"title\" : \"\(title)\""), "\(opened.err)")
        }
        await origin.stop()
    }

    @Test("a directory that is not there, or has no full path, is refused", arguments: ["not-there", "/not/there"])
    func wrongDirectory(_ path: String) async throws {
        let clearing = WebsiteDataClearing([.cookies], dataDirectory: path)
        await #expect(throws: HostError.self) { try await WebViewProcess(display: Display()).clear(clearing) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("every kind has the name of a constant of WebKit on Apple systems, but for those that have none there")
    func names() {
        let constants: Set<String> = [
            "Cookies", "DiskCache", "MemoryCache", "LocalStorage", "SessionStorage", "IndexedDBDatabases",
            "ServiceWorkerRegistrations", "FetchCache", "HashSalt",
        ]
        let ours = Set(WebsiteDataKind.allCases.map { $0.rawValue.prefix(1).uppercased() + $0.rawValue.dropFirst() })
        #expect(ours.subtracting(constants) == ["HstsCache", "ResourceLoadStatistics"])
        #expect(constants.isSubset(of: ours))
    }
}
