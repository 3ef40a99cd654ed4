import HTTPCacheSemantics
import Manifests
import StrictJSON

/// The contents of a seed, and where they are. A seed is one file; numbers are in octets, most significant first:
///
///     offset  length
///          0       8  89 6C 61 72 73 65 65 64: an octet that no text begins with, then "larseed"
///          8       4  the version of the format, 1
///         12       4  N, the length of the index; at most 33,554,432
///         16      32  the SHA-256 of the index
///         48       N  the index, JSON in UTF-8
///     48 + N the head and the list of a manifest, if there is one, then the content of each file, in the order
///                     of the index, without gaps; the file ends with the last
///
/// The index; `offset` counts from 48 + N:
///
///     {"larderSeed":1,"id":"com.example.shop","built":"2026-11-20T08:00:00Z",
///     "manifest":{"head":{"offset":0,"length":812},"list":{"offset":812,"length":20144}},
///     "files":[
///     {"url":"https://a.test/app.js","sha256":"5e0c…","size":183220,"coding":"gzip","offset":20956,"length":61012,
///      "as":"module","group":"boot","fields":{"content-type":"text/javascript"}}]}
///
/// `sha256` and `size` are of the content without its coding, as in manifests. The hash of the index finds damage;
/// whether the index is to be trusted follows from where the file comes from, which is the app's own bundle.
package struct SeedIndex: Hashable, Sendable {
    /// 32 MiB.
    package static let sizeLimit = 32 << 20
    package static let fileLimit = 50_000
    /// The version of the format.
    package static let format: UInt32 = 1
    static let prologueLength = 48
    static let magic: [UInt8] = [0x89] + Array("larseed".utf8)
    static let valueLimit = 1_000_000
    static let fieldLimit = 32

    /// Where the manifest is, counted from the end of the index.
    package struct ManifestParts: Hashable, Sendable {
        package var head: Range<Int64>
        package var list: Range<Int64>

        package init(head: Range<Int64>, list: Range<Int64>) { (self.head, self.list) = (head, list) }
    }

    /// The id of the site and app, as in manifests.
    package var id: String
    /// Counts as the time at which the responses were received, in whole seconds.
    package var built: WallInstant
    package var manifest: ManifestParts?
    /// In the order of filling within a group.
    package var files: [SeedEntry]

    package init(id: String, built: WallInstant, manifest: ManifestParts? = nil, files: [SeedEntry]) {
        (self.id, self.built, self.manifest, self.files) = (id, built, manifest, files)
    }

    /// The length of what follows the index.
    package var contentLength: Int64 { files.last?.region.upperBound ?? manifest?.list.upperBound ?? 0 }

    /// Reads an index. Nobody has to look at limits again: the regions follow each other without gaps.
    package init(bytes: [UInt8]) throws(SeedError) {
        do throws(ManifestRefusal) {
            try self.init(reading: bytes)
        } catch {
            let code = SeedError.Code(description: error.code.description)
            throw SeedError(error.code == .duplicatePath ? .duplicateURL : code, error.message)
        }
    }

    private init(reading bytes: [UInt8]) throws(ManifestRefusal) {
        let object = try ManifestObject(
            bytes, "the index", .malformed, format: ("larderSeed", Int64(Self.format)), tooLarge: .tooLarge,
            sizeLimit: Self.sizeLimit, valueLimit: Self.valueLimit)
        id = try object.text("id", limit: 128)
        guard let built = UTCTimestamp.parse(try object.text("built", limit: 20)) else {
            throw object.refusal("built", "a time such as 2026-11-20T08:00:00Z")
        }
        self.built = built
        var end: Int64 = 0
        if let node = object.node("manifest") {
            let parts = try ManifestObject(node, "the manifest of the index", .malformed)
            manifest = ManifestParts(
                head: try Self.part("head", of: parts, after: &end, limit: SignedManifest.sizeLimit),
                list: try Self.part("list", of: parts, after: &end, limit: ReleaseList.sizeLimit))
        }
        files = try object.files(limit: Self.fileLimit, name: \SeedEntry.url) { node throws(ManifestRefusal) in
            try SeedEntry(node, after: &end)
        }
    }

    private static func part(
        _ key: String, of object: ManifestObject, after end: inout Int64, limit: Int
    ) throws(ManifestRefusal) -> Range<Int64> {
        guard let node = object.node(key) else { throw object.refusal(key, "an object") }
        let region = try ManifestObject(node, "the \(key) of the manifest", .malformed).region(after: &end)
        guard region.count <= limit else {
            throw ManifestRefusal(
                .tooLarge, "The \(key) of the manifest has \(region.count) octets, at most \(limit) are allowed.")
        }
        return region
    }

    /// The bytes before the contents: the first 48 octets and the index. Throws where a reader would refuse it.
    package func prologue() throws(SeedError) -> [UInt8] {
        let index = bytes
        guard try SeedIndex(bytes: index) == self, let length = UInt32(exactly: index.count) else {
            throw SeedError(.malformed, "The index can't be written so that it is read as the same.")
        }
        return Self.magic + Self.octets(Self.format) + Self.octets(length) + BodyDigest(of: index).bytes + index
    }

    /// One line for each file.
    package var bytes: [UInt8] {
        var text = "{\"larderSeed\":\(Self.format),\"id\":\(JSONPrinter.quoted(id)),"
        text += "\"built\":\(JSONPrinter.quoted(UTCTimestamp.text(built))),\n"
        if let manifest {
            func part(_ part: Range<Int64>) -> String { "{\"offset\":\(part.lowerBound),\"length\":\(part.count)}" }
            text += "\"manifest\":{\"head\":\(part(manifest.head)),\"list\":\(part(manifest.list))},\n"
        }
        text += "\"files\":[\n" + files.map(\.text).joined(separator: ",\n") + "]}\n"
        return Array(text.utf8)
    }

    private static func octets(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    static func number(_ octets: ArraySlice<UInt8>) -> UInt32 { octets.reduce(0) { $0 << 8 | UInt32($1) } }
}
