import CacheEngine
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Manifests
import ResponseStore

@testable import Preloading

/// A seed in memory, built of texts.
struct SampleSeed {
    struct File {
        var path: String
        /// Without its coding.
        var content: [UInt8]
        /// As it is in the file.
        var coded: [UInt8]
        var coding = SeedEntry.Coding.identity
        var group = PreloadGroup.boot
        var destination = PreloadDestination.script
        var fields: HTTPFields = [.contentType: "text/javascript"]

        init(_ path: String, _ text: String) {
            self.path = path
            content = Array(text.utf8)
            coded = content
        }

        func with(_ change: (inout Self) -> Void) -> Self {
            var file = self
            change(&file)
            return file
        }
    }

    /// An hour before the clock of a ``PreloadBench``.
    static let built = WallInstant(unixSeconds: 1_700_000_000 - 3_600)

    var files: [File]
    var id = "shop"
    var built = Self.built
    var base = PreloadBench.base
    var manifest: (head: [UInt8], list: [UInt8])?

    init(_ files: [File]) { self.files = files }

    init(_ files: [(path: String, text: String)]) { self.files = files.map { File($0.path, $0.text) } }

    var index: SeedIndex {
        var index = SeedIndex(id: id, built: built, files: [])
        var end: Int64 = 0
        func region(_ bytes: [UInt8]) -> Range<Int64> {
            defer { end += Int64(bytes.count) }
            return end..<end + Int64(bytes.count)
        }
        if let manifest { index.manifest = .init(head: region(manifest.head), list: region(manifest.list)) }
        for file in files {
            guard let content = PreloadBench.expected(file.content) else { continue }
            index.files.append(
                SeedEntry(
                    url: base + file.path, content: content, coding: file.coding, region: region(file.coded),
                    destination: file.destination, group: file.group, fields: file.fields))
        }
        return index
    }

    var contents: [UInt8] { (manifest.map { $0.head + $0.list } ?? []) + files.flatMap(\.coded) }

    func bytes() throws -> [UInt8] { try index.prologue() + contents }

    func seed() throws -> Seed { try Seed(MemoryFile(try bytes())) }

    /// The file of an index that no writer would write.
    static func bytes(index: String, contents: [UInt8] = []) throws -> [UInt8] {
        let index = Array(index.utf8)
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: index.count >> $0) }
        return SeedIndex.magic + [0, 0, 0, 1] + length + BodyDigest(of: index).bytes + index + contents
    }

    final class MemoryFile: SeedFile {
        let bytes: [UInt8]
        /// Offset and length of each call.
        let reads = LockedBox<[(offset: Int64, count: Int)]>([])

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var length: ByteCount { ByteCount(bytes.count) }

        func read(from offset: Int64, upTo count: Int) throws -> [UInt8] {
            reads.withLock { $0.append((offset, count)) }
            return Array(bytes.dropFirst(Int(offset)).prefix(count))
        }
    }
}

extension PreloadBench {
    func filling(
        _ seed: Seed, manifest: ManifestSource? = nil, states: PreloadStateFiles? = nil
    ) -> SeedFilling {
        let connectivity = connectivity
        return SeedFilling(
            seed, cache: cache, configuration: PreloadConfiguration(connectivity: { connectivity.current }),
            manifest: manifest, states: states)
    }

    @discardableResult
    func fill(_ sample: SampleSeed) async throws -> SeedSummary { try await filling(try sample.seed()).run() }

    /// What a page gets while there is no network: the text, or `nil`.
    func offline(_ path: String) async throws -> String? {
        transport.on(Self.base + path) { _ in
            throw TransportError(code: .connectionFailed, message: "There is no network.")
        }
        let answer = await page(path)
        let text = try await text(answer)
        clock.advance(by: .seconds(1))
        return answer.cacheStatus.isHit ? text : nil
    }
}
