import Foundation
import HTTPCacheSemantics
import ManifestBuilding
import Manifests
import Testing

@Suite("larder manifest verify finds what does not fit")
struct VerificationTests {
    private let site: SampleFolder
    private let key = ManifestSigningKey()
    private let trust: ManifestTrust

    init() throws {
        site = try SampleFolder(["a.js": "1", "d/b.css": "22"])
        trust = .pinned(PinnedKeys([try #require(key.publicKey)]))
        _ = try site.publication().publish(site.builder().list(release: "r1"), base: SampleFolder.base, id: "shop")
        var (signed, _) = try site.manifest.existingHead()
        try signed.sign(with: key)
        try site.manifest.write(signed)
    }

    private func verify(_ trust: ManifestTrust? = nil, days: Int = 0) throws -> ManifestVerification {
        try ManifestVerification(
            site.manifest, trust: trust ?? self.trust, now: SampleFolder.now + .seconds(86_400 * days),
            site: site.builder())
    }

    @Test("a fresh build fits")
    func fits() throws {
        let result = try verify()
        #expect(result.problems.isEmpty && result.lists == 1 && result.files == 2 && result.head?.serial == 1)
    }

    @Test(
        "files that changed, grew or are gone",
        arguments: [
            ("file-hash", "2"), ("file-size", "11"), ("file-missing", nil),
        ] as [(String, String?)])
    func files(_ code: String, _ content: String?) throws {
        if let content {
            try site.write("a.js", content)
        } else {
            try FileManager.default.removeItem(atPath: site.path + "/a.js")
        }
        let result = try verify()
        #expect(result.problems.map(\.code) == [code] && result.files == 1)
    }

    @Test("a list that is damaged, cut off or gone")
    func lists() throws {
        let reference = try #require(try site.manifest.existingHead().head.releases.last?.list)
        let (path, bytes) = (site.manifest.path + "/" + reference.path, try #require(site.manifest.list(reference)))
        var changed = bytes
        changed[bytes.count / 2] ^= 1
        for (content, code) in [(changed, "list-hash"), (Array(bytes.dropLast()), "list-size"), (nil, "list-missing")] {
            if let content {
                try Data(content).write(to: URL(fileURLWithPath: path))
            } else {
                try FileManager.default.removeItem(atPath: path)
            }
            #expect(try verify().problems.map(\.code) == [code])
        }
    }

    @Test("the head by the keys of apps, and by the time")
    func head() throws {
        let stranger = try #require(ManifestSigningKey().publicKey)
        #expect(try verify(.pinned(PinnedKeys([stranger]))).problems.map(\.code) == ["unknown-key"])
        #expect(try verify(days: 40).problems.map(\.code) == ["expired"])
        let head = try #require(try site.manifest.publishedHead())
        try Data(head.dropLast(9)).write(to: URL(fileURLWithPath: site.manifest.headPath))
        #expect(try verify().problems.map(\.code) == ["malformed"])
        #expect(throws: ManifestToolError.self) {
            try ManifestVerification(ManifestFolder(site.path + "/none"), trust: .server, now: SampleFolder.now)
        }
    }

    @Test("a comparison counts what a device has to fetch, and what it has under another path")
    func comparison() throws {
        let old = try PublishedList(site.manifest.path)
        try site.write("a.js", "333")
        try site.write("moved/b.css", "22")
        try FileManager.default.removeItem(atPath: site.path + "/d/b.css")
        _ = try site.publication().publish(site.builder().list(release: "r2"), base: SampleFolder.base)
        let comparison = ListComparison(old, try PublishedList(site.manifest.headPath))
        #expect(comparison.changed.map(\.path) == ["a.js"] && comparison.added.map(\.path) == ["moved/b.css"])
        #expect(comparison.removed.map(\.path) == ["d/b.css"] && comparison.unchanged == 0)
        #expect(comparison.bytesToFetch == ByteCount(5) && comparison.bytesUnderOtherPaths == ByteCount(2))
        let head = try site.manifest.existingHead().head
        let lists = try head.releases.map { try PublishedList(site.manifest.path + "/" + $0.list.path) }
        #expect(lists.allSatisfy { $0.base == nil })
        for (one, other) in [(lists[0], lists[1]), (old, lists[1]), (lists[0], try PublishedList(site.manifest.path))] {
            #expect(ListComparison(one, other).bytesToFetch == ByteCount(5), "lists alone, and beside a head")
        }
        #expect(ListComparison(try PublishedList(site.manifest.path, release: "r1"), old).bytesToFetch == .zero)
        #expect(throws: ManifestToolError.self) { try PublishedList(site.manifest.path, release: "r9") }
    }
}
