import CacheTesting
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import ManifestBuilding
import Manifests
import Preloading
import Testing

@testable import SeedBuilding

@Suite("Seeds of build folders")
struct SeedBuilderTests {
    private static let base = "https://static.example.com/shop/"
    /// 2026-11-20T08:00:00Z
    private static let now = WallInstant(unixSeconds: 1_795_161_600)
    private static let text = String(repeating: "run(); ", count: 100)

    let directory: TemporaryDirectory
    private var site: String { directory.path + "/dist" }
    private var out: String { directory.path + "/app.seed" }

    init() throws {
        directory = try TemporaryDirectory()
        for (path, content) in [
            "assets/index-BX3kTQ9a.js": Self.text, "assets/a b.svg": "<svg/>",
            "index.html": "<script src=assets/index-BX3kTQ9a.js></script>",
            "a.js.map": "{}",
        ] {
            let file = URL(fileURLWithPath: site).appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(content.utf8).write(to: file)
        }
    }

    private func builder(documents: Bool = false) throws -> SeedBuilder {
        let folder = try BuildFolder(site, leavingOut: [site + "/larder"])
        var list = ListBuilder(folder, try BuildOutput.find(in: folder))
        list.listsDocuments = documents
        return SeedBuilder(list, base: Self.base, built: Self.now + .milliseconds(5))
    }

    private func publish(documents: Bool = false) throws -> ManifestFolder {
        let manifest = ManifestFolder(site + "/larder")
        let publication = ManifestPublication(manifest, now: Self.now)
        _ = try publication.publish(try builder(documents: documents).site.list(release: nil), base: Self.base)
        return manifest
    }

    @Test("the seed of a folder is read again: URLs, types and groups as in manifests")
    func built() throws {
        var builder = try builder(documents: true)
        builder.fields[.cacheControl] = "max-age=60"
        let result = try builder.write(to: out)
        let seed = try Seed(path: out)
        #expect(seed.index == result.index && seed.index.id == "static.example.com")
        #expect(seed.index.built == Self.now)
        #expect(
            seed.index.files.map(\.url)
                == ["", "assets/index-BX3kTQ9a.js", "assets/a%20b.svg"].map { Self.base + $0 })
        #expect(seed.index.files.map(\.destination) == [.document, .module, .image])
        #expect(seed.index.files.map(\.group) == [.boot, .boot, .page])
        #expect(
            seed.index.files.map { $0.fields[.contentType] }
                == ["text/html; charset=utf-8", "text/javascript; charset=utf-8", "image/svg+xml"])
        #expect(seed.index.files.allSatisfy { $0.fields[.cacheControl] == "max-age=60" })
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["app.seed", "dist"])
        let size = try FileManager.default.attributesOfItem(atPath: out)[.size] as? Int
        #expect(size.map { ByteCount($0) } == result.size)
    }

    @Test("gzip is for what gets shorter, and equal folders make equal seeds")
    func compressed() throws {
        var builder = try builder()
        builder.compresses = true
        _ = try builder.write(to: out)
        let first = try Data(contentsOf: URL(fileURLWithPath: out))
        let files = try Seed(path: out).index.files
        #expect(files.map(\.coding) == [.gzip, .identity])
        #expect(files[0].region.count < 100 && files[0].size == ByteCount(Self.text.utf8.count))
        _ = try builder.write(to: out)
        #expect(try Data(contentsOf: URL(fileURLWithPath: out)) == first)
        // RFC 1952 §2.3: no time, an unknown system.
        let coded = Array(first.suffix(files[0].region.count + files[1].region.count))
        #expect(Array(coded[0..<10]) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255])
    }

    @Test("a manifest's head and list go into the seed; documents may come with what it lists")
    func manifest() throws {
        var builder = try builder(documents: true)
        builder.manifest = try publish()
        let result = try builder.write(to: out)
        let seed = try Seed(path: out)
        let parts = try #require(try seed.manifest())
        #expect(try parts.head == builder.manifest?.publishedHead())
        #expect(seed.index.id == "static.example.com" && result.missing == 0 && seed.index.files.count == 3)
        #expect(try ReleaseList(bytes: parts.list, base: Self.base).files.count == 2)
    }

    @Test("a seed that does not fit its manifest is not made, nor one that a reader would refuse")
    func refused() throws {
        let manifest = try publish()
        func problem(_ change: (inout SeedBuilder) -> Void) throws -> String? {
            var builder = try builder()
            change(&builder)
            do {
                _ = try builder.write(to: out)
                return nil
            } catch {
                return "\(error)"
            }
        }
        #expect(try problem { $0.base = "https://static.example.com" }?.contains("--base") == true)
        #expect(try problem { $0.fields[.setCookie] = "a=b" }?.contains("Set-Cookie") == true)
        #expect(
            try problem { ($0.manifest, $0.base) = (manifest, "https://other.test/") }?.contains("give the same")
                == true)
        #expect(try problem { $0.manifest = ManifestFolder(directory.path + "/none") }?.contains("no head") == true)
        try Data("changed".utf8).write(to: URL(fileURLWithPath: site + "/assets/a b.svg"))
        #expect(try problem { $0.manifest = manifest }?.contains("another file than in the manifest") == true)
        #expect(!FileManager.default.fileExists(atPath: out))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["dist"])
    }

    @Test("what the manifest lists and the folder lacks is counted")
    func missing() throws {
        let manifest = try publish()
        try FileManager.default.removeItem(atPath: site + "/assets/a b.svg")
        var builder = try builder()
        builder.manifest = manifest
        #expect(try builder.write(to: out).missing == 1)
    }
}
