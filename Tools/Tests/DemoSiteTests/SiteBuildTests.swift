import Testing

@testable import DemoSite

@Suite("The two-stage build of the sample site")
struct SiteBuildTests {
    @Test("every reference in every file leads to a file of the same version", arguments: DemoSite.versions)
    func references(version: Int) throws {
        let site = try DemoSite.build(version: version)
        var found = 0
        for file in site.files where Self.isText(file) {
            let text = String(decoding: file.bytes, as: UTF8.self)
            #expect(!text.contains("~/"), "\(file.path) has an unresolved reference")
            for reference in Self.references(in: text) {
                let target = Self.resolve(reference, from: file, in: site)
                #expect(target != nil, "\(file.path) refers to \(reference)")
                found += 1
            }
        }
        #expect(found > 100)
    }

    @Test("the hash in a name is that of the bytes", arguments: DemoSite.versions)
    func hashes(version: Int) throws {
        let site = try DemoSite.build(version: version)
        for file in site.hashedFiles {
            #expect(file.path.contains(".\(file.sha256.prefix(8))."), "\(file.path)")
        }
        #expect(site.hashedFiles.count { $0.path.hasSuffix(".js") } == 12)
        #expect(site.hashedFiles.count { $0.path.hasSuffix(".css") } == 3)
        let scripts = site.hashedFiles.filter { $0.path.hasSuffix(".js") }.reduce(0) { $0 + $1.bytes.count }
        #expect((400_000...600_000).contains(scripts))
    }

    @Test("version 2 renames about half of the scripts and styles, the entry among them")
    func half() throws {
        let (one, two) = (try DemoSite.build(version: 1), try DemoSite.build(version: 2))
        let changed = two.changed(since: one).compactMap(\.chunk)
        #expect(
            changed.sorted() == [
                "app.js", "basket.js", "components.css", "home.js", "manifest.js", "messages.js", "search.js",
            ])
        let gone = one.changed(since: two).compactMap(\.chunk)
        #expect(gone.sorted() == changed.sorted())
        #expect(two.changed(since: one).filter { $0.chunk == nil }.allSatisfy { $0.contentType.hasPrefix("text/html") })
    }

    @Test("a build gives the same bytes each time")
    func deterministic() throws {
        #expect(try DemoSite.build(version: 1).files == DemoSite.build(version: 1).files)
    }

    @Test("hosts, scheme and port are the caller's")
    func hosts() throws {
        let hosts = DemoHosts(shop: "a.test", cdn: "b.test", scheme: "http", port: 8080)
        let site = try DemoSite.build(version: 1, hosts: hosts)
        let page = try #require(site.file(host: "a.test", path: "/"))
        let text = String(decoding: page.bytes, as: UTF8.self)
        #expect(text.contains("http://b.test:8080/assets/js/app."))
        #expect(!text.contains("shop.test"))
    }

    @Test("an unknown version, an unknown name and a circle are refused")
    func refusals() {
        #expect(throws: DemoSiteError.self) { try DemoSite.build(version: 3) }
        Self.expect(.unknownReference, from: [ChunkSource("a.js", text: "import \"~/b.js\";")])
        Self.expect(
            .cyclicReference,
            from: [ChunkSource("a.js", text: "import \"~/b.js\";"), ChunkSource("b.js", text: "import \"~/a.js\";")])
    }

    @Test("a change moves what leads to it and nothing else")
    func bottomUp() throws {
        func names(leaf: String) throws -> [String: String] {
            let sources = [
                ChunkSource("top.js", text: "import \"~/left.js\"; import \"~/right.js\";"),
                ChunkSource("left.js", text: "import \"~/leaf.js\";"), ChunkSource("right.js", text: "export {};"),
                ChunkSource("leaf.js", text: leaf),
            ]
            return try HashedNames(sources, hosts: DemoHosts()).chunks.mapValues(\.path)
        }
        let (before, after) = (try names(leaf: "1;"), try names(leaf: "2;"))
        #expect(before.keys.filter { before[$0] != after[$0] }.sorted() == ["leaf.js", "left.js", "top.js"])
    }

    private static func expect(_ code: DemoSiteError.Code, from sources: [ChunkSource]) {
        do {
            _ = try HashedNames(sources, hosts: DemoHosts())
            Issue.record("the build should have failed")
        } catch {
            #expect(error.code == code)
        }
    }

    private static func isText(_ file: DemoFile) -> Bool {
        file.contentType.hasPrefix("text/") && file.status == 200
    }

    /// What stands in quotes and looks like a place: absolute, path-absolute, or relative with a dot first.
    private static func references(in text: String) -> [String] {
        let quoted = text.split(whereSeparator: { $0 == "\"" || $0 == "'" || $0 == "`" || $0 == "," || $0 == " " })
        return quoted.map(String.init).filter { word in
            let isPlace =
                word.hasPrefix("https://") || word.hasPrefix("./") || word.hasPrefix("../") || word.hasPrefix("/")
            return isPlace && word.contains(".") && !word.contains("$") && !word.contains("\\") && !word.hasPrefix("//")
                && !word.hasSuffix("/") && word.split(separator: "/").last?.contains(".") == true
                && !word.hasSuffix(".test") && !word.contains("*")
        }
    }

    private static func resolve(_ reference: String, from file: DemoFile, in site: DemoSite) -> DemoFile? {
        for host in [site.hosts.shop, site.hosts.cdn] where reference.hasPrefix(site.hosts.origin(of: host) + "/") {
            return site.file(host: host, path: String(reference.dropFirst(site.hosts.origin(of: host).count)))
        }
        if reference.hasPrefix("/") { return site.file(host: file.host, path: reference) }
        var folders = file.path.split(separator: "/").dropLast()
        for part in reference.split(separator: "/") {
            if part == ".." { _ = folders.popLast() } else if part != "." { folders.append(part) }
        }
        return site.file(host: file.host, path: "/" + folders.joined(separator: "/"))
    }
}
