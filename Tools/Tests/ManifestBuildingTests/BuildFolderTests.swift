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
                "link to a folder": 1, "broken link": 1, "folder of the manifest": 1,
            ], "\(build.skipped)")
    }

    @Test("a file, nothing, and an empty folder are no build", arguments: ["a.js", "nothing"])
    func noFolder(_ name: String) throws {
        let folder = try SampleFolder(["a.js": "1"])
        #expect(throws: ManifestToolError.self) { try BuildFolder(folder.path + "/" + name) }
        #expect(throws: ManifestToolError.self) { try SampleFolder([:]).builder().list(release: "1") }
    }
}
