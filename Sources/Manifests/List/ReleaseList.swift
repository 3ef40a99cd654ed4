import HTTPCacheSemantics
import StrictJSON

/// The files of a release: an immutable file, named by the SHA-256 of its bytes.
///
/// Its JSON is described in `docs/manifest/list.schema.json` and, for people, in `docs/manifests.md`.
package struct ReleaseList: Hashable, Sendable {
    /// The format's version, the value of `larderList`.
    package static let format: Int64 = 1
    /// 16 MiB.
    package static let sizeLimit = 16 << 20
    package static let fileLimit = 50_000
    package static let pageLimit = 10_000
    package static let ignoreQueryLimit = 64
    /// Limits the values of the JSON text: twenty for each of the most files.
    static let valueLimit = 1_000_000

    /// The name of the release, for people.
    package var release: String
    /// Parameters of a query that do not change the bytes, such as `dpl` of Next; `*` for all.
    package var ignoreQuery: [String]
    package var pages: [PageNeeds]
    /// In the order in which they are to be fetched, within a group.
    package var files: [ListedFile]

    package init(release: String, ignoreQuery: [String] = [], pages: [PageNeeds] = [], files: [ListedFile]) {
        (self.release, self.ignoreQuery, self.pages, self.files) = (release, ignoreQuery, pages, files)
    }

    /// Accepts the bytes of a list, if they are those that a release of the head with this base names.
    package init(
        accepting bytes: [UInt8], named reference: Release.ListReference, base: String
    ) throws(ManifestRefusal) {
        guard bytes.count <= Self.sizeLimit, ByteCount(bytes.count) == reference.size else {
            throw ManifestRefusal(
                .listSize,
                "The list has \(bytes.count) octets; the head states \(reference.size.bytes), and at most "
                    + "\(Self.sizeLimit) are allowed. Fetch it again.")
        }
        guard BodyDigest(of: bytes) == reference.digest else {
            throw ManifestRefusal(
                .listHash, "The list is not the one that the head names, \(reference.digest). Fetch it again.")
        }
        try self.init(bytes: bytes, base: base)
    }

    /// Reads a list that nothing has been said about.
    package init(bytes: [UInt8], base: String) throws(ManifestRefusal) {
        guard BaseURL.isBase(base) else {
            throw ManifestRefusal(.wrongBase, "The base \"\(base)\" is not \(BaseURL.help).")
        }
        let object = try ManifestObject(
            bytes, "the list", .listMalformed, format: ("larderList", Self.format), tooLarge: .listSize,
            sizeLimit: Self.sizeLimit, valueLimit: Self.valueLimit)
        release = try object.text("release", limit: 128)
        ignoreQuery = try object.texts("ignoreQuery", count: Self.ignoreQueryLimit, limit: 128)
        var pages: [PageNeeds] = []
        for node in try object.list("pages", limit: Self.pageLimit) { pages.append(try PageNeeds(node)) }
        self.pages = pages
        files = try object.files(limit: Self.fileLimit, name: \ListedFile.path) { node throws(ManifestRefusal) in
            try ListedFile(node)
        }
    }

    /// The bytes to publish: one line for each file, so that two lists can be compared line by line.
    package var bytes: [UInt8] {
        var text = "{\"larderList\":\(Self.format),\"release\":\(JSONPrinter.quoted(release)),\n"
        if !ignoreQuery.isEmpty {
            text += "\"ignoreQuery\":" + JSONPrinter.compact(.list(ignoreQuery.map { .string($0) })) + ",\n"
        }
        if !pages.isEmpty {
            text += "\"pages\":[\n" + pages.map { JSONPrinter.compact($0.json) }.joined(separator: ",\n") + "],\n"
        }
        text += "\"files\":[\n" + files.map { JSONPrinter.compact($0.json) }.joined(separator: ",\n") + "]}\n"
        return Array(text.utf8)
    }

    /// The size of all files.
    package var size: ByteCount { files.reduce(into: .zero) { $0 += $1.size } }
}
