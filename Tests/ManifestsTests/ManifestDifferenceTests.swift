import HTTPCacheSemantics
import Manifests
import Testing

@Suite("The difference of a list against what is held")
struct ManifestDifferenceTests {
    private static let base = "https://static.example.com/shop/"

    private static func list(_ files: [(String, UInt8, Int)]) -> ReleaseList {
        ReleaseList(
            release: "1",
            files: files.map {
                ListedFile(path: $0.0, digest: ContentDigest(of: [$0.1]), size: ByteCount($0.2), use: .script)
            })
    }

    @Test("what is new or changed is missing, in the order of the list; the rest is held")
    func difference() {
        let old = Self.list([("a.js", 1, 10), ("b.js", 2, 20), ("gone.js", 3, 30)])
        let new = Self.list([("new.js", 4, 1), ("a.js", 1, 10), ("b.js", 9, 25)])
        let difference = ManifestDifference(from: old, base: Self.base, to: new, base: Self.base)
        #expect(difference.missing.map(\.path) == ["new.js", "b.js"])
        #expect(difference.missingSize == ByteCount(26))
        #expect(difference.heldCount == 1 && difference.heldSize == ByteCount(10))
    }

    @Test("the same path under another base is another URL")
    func otherBase() {
        let list = Self.list([("a.js", 1, 10)])
        let other = ManifestDifference(from: list, base: Self.base, to: list, base: "https://other.example.com/")
        #expect(other.missing.count == 1)
    }

    @Test("each file is asked about once, by its URL and digest")
    func asked() {
        let list = Self.list((0..<1_000).map { ("\($0).js", UInt8($0 % 251), 1) })
        var asked: [String] = []
        let difference = ManifestDifference(list, base: Self.base) { url, _ in
            asked.append(url)
            return true
        }
        #expect(asked == list.files.map { Self.base + $0.path })
        #expect(difference.missing.isEmpty && difference.missingSize == .zero && difference.heldCount == 1_000)
    }

    @Test("sizes that are added up do not overflow")
    func greatSizes() {
        let most = Int(Int64.max)
        let list = Self.list([("a", 1, most), ("b", 2, most), ("c", 3, 5)])
        #expect(ManifestDifference(list, base: Self.base, held: [:]).missingSize == ByteCount(most))
    }
}
