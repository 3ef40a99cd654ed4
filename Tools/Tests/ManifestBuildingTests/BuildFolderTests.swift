import Foundation
import ManifestBuilding
import Testing

@Suite("What of a folder is published")
struct BuildFolderTests {
    @Test("maps, compressed copies, dot-files, system files and links that lead out are left out")
    func skipped() throws {
        let outside = try SampleFolder(["secret.txt": "s"])
        let folder = try SampleFolder([
            "a.js": "1", "a.js.map": "2", "a.js.gz": "3", "a.js.br": "4", "a.js.zst": "5", ".DS_Store": "6",
            ".env": "7",
            ".git/config": "8", "Thumbs.db": "9", ".well-known/apple-app-site-association": "10", "d/b.css": "11",
            "larder/head.json": "12",
        ])
        func link(_ name: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(atPath: folder.path + "/" + name, withDestinationPath: target)
        }
        try link("inside.js", to: "a.js")
        try link("out.txt", to: outside.path + "/secret.txt")
        try link("up.txt", to: "../" + (outside.path as NSString).lastPathComponent + "/secret.txt")
        try link("loop", to: ".")
        try link("outer", to: outside.path)
        try link("dangling", to: "nothing")
        let build = try BuildFolder(folder.path, leavingOut: [folder.path + "/larder"])
        #expect(build.files.map(\.path) == [".well-known/apple-app-site-association", "a.js", "d/b.css", "inside.js"])
        #expect(build.files.map(\.size) == [2, 1, 2, 1])
        #expect(
            build.skipped == [
                "source map": 1, "compressed copy": 3, "dot-file": 3, "file of the system": 1,
                "link out of the folder": 3,
                "link to a folder around it": 1, "broken link": 1, "folder of the manifest": 1,
            ], "\(build.skipped)")
        #expect(build.leftOut["link out of the folder"]?.sorted() == ["out.txt", "outer", "up.txt"])
    }

    @Test("a linked folder of the site is read where the link is; circles end")
    func linkedFolder() throws {
        let folder = try SampleFolder(["v2/index.html": "2", "v2/sub/a.js": "a", "b/c.css": "c"])
        for (name, target) in [("latest", "v2"), ("v2/up", ".."), ("v2/sub/b", "../../b"), ("b/v2", "../v2")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/" + name, withDestinationPath: target)
        }
        let build = try BuildFolder(folder.path)
        #expect(
            build.files.map(\.path) == [
                "b/c.css", "b/v2/index.html", "b/v2/sub/a.js", "latest/index.html", "latest/sub/a.js",
                "latest/sub/b/c.css", "v2/index.html", "v2/sub/a.js", "v2/sub/b/c.css",
            ])
        #expect(
            build.leftOut["link to a folder around it"]?.sorted() == [
                "b/v2/sub/b", "b/v2/up", "latest/sub/b/v2", "latest/up", "v2/sub/b/v2", "v2/up",
            ])
    }

    @Test("what hosts read and never serve, and the page of their 404, are left out by name")
    func hostFiles() throws {
        let hidden = [
            "_headers", "_redirects", "_routes.json", "_worker.js/index.js", "web.config", "sub/Web.config",
            "staticwebapp.config.json", "netlify.toml", "vercel.json", "CNAME", "404.html", "de/404.html",
            "404/index.html", "_not-found.html", "_not-found/index.html",
        ]
        let shown = ["_app/a.js", "a/_headers", "a/404.js", "404.css", "4040.html"]
        let folder = try SampleFolder(Dictionary(uniqueKeysWithValues: (hidden + shown).map { ($0, "x") }))
        let build = try BuildFolder(folder.path)
        #expect(build.files.map(\.path) == shown.sorted())
        #expect(build.leftOut["error page, which has the status 404"]?.count == 5)
        #expect(build.leftOut["read by the host, not served"]?.contains("_worker.js") == true)
    }

    @Test("what ends in .gz, .br, .zst or .map is a copy only where its other form is there, or it maps a script")
    func onlyForm() throws {
        let folder = try SampleFolder([
            "Build/game.data.gz": "1", "Build/game.wasm.br": "2", "tiles.zst": "3", "level.map": "4", "a.js": "5",
            "a.js.br": "6", "gone.js.map": "7", "gone.js.map.gz": "8", "a.js.map": "9", "b.css.map": "10",
            "c.map": "11",
            "c": "12",
        ])
        #expect(
            try BuildFolder(folder.path).files.map(\.path)
                == ["Build/game.data.gz", "Build/game.wasm.br", "a.js", "c", "level.map", "tiles.zst"])
    }

    @Test("patterns leave out files and folders, and one that nothing matches is told")
    func excluded() throws {
        let folder = try SampleFolder(["a.js": "1", "drafts/b.html": "2", "drafts/c/d.js": "3", "i/e.psd": "4"])
        let build = try BuildFolder(folder.path, excluding: ["drafts/", "*.psd", "nothing"])
        #expect(build.files.map(\.path) == ["a.js"])
        #expect(build.leftOut["--exclude"]?.sorted() == ["drafts", "i/e.psd"])
        #expect(build.unusedPatterns == ["nothing"])
    }

    @Test("a name that no URL can have costs itself alone", arguments: ["a\\b.png", "a\nb.txt"])
    func oddName(_ name: String) throws {
        let folder = try SampleFolder(["a.js": "1", name: "2"])
        let build = try BuildFolder(folder.path)
        #expect(build.files.map(\.path) == ["a.js"])
        #expect(build.leftOut == ["name that no URL can have": [name]])
    }

    @Test("a file, nothing, and an empty folder are no build", arguments: ["a.js", "nothing"])
    func noFolder(_ name: String) throws {
        let folder = try SampleFolder(["a.js": "1"])
        #expect(throws: ManifestToolError.self) { try BuildFolder(folder.path + "/" + name) }
        #expect(throws: ManifestToolError.self) { try SampleFolder([:]).builder().list(release: "1") }
    }
}
