import HTTPCacheSemantics
import StrictJSON

/// One file of a release.
package struct ListedFile: Hashable, Sendable {
    /// Relative to the base of the head, as it stands in a URL.
    package var path: String
    /// Of the content after content codings are undone.
    package var digest: ContentDigest
    /// Of the content after content codings are undone.
    package var size: ByteCount
    package var use: Use
    /// The media type that the server should state; `nil` for any.
    package var mediaType: String?
    package var group: FileGroup
    /// Ways to make it of an earlier version. They are read, and not applied yet.
    package var deltas: [FileDelta]

    /// What a page loads it as: the preloader sends the request that the web view would send. The value of `as`.
    package enum Use: String, CaseIterable, Sendable {
        case document, style, script, module, font, image, audio, video, track, worker, manifest
        /// Whatever a script asks for, and what a newer version names.
        case fetch
    }

    package init(
        path: String, digest: ContentDigest, size: ByteCount, use: Use, mediaType: String? = nil,
        group: FileGroup = .boot, deltas: [FileDelta] = []
    ) {
        (self.path, self.digest, self.size, self.use) = (path, digest, size, use)
        (self.mediaType, self.group, self.deltas) = (mediaType, group, deltas)
    }

    /// - Parameter base: The head's base.
    package func url(base: String) -> String { base + path }

    init(_ node: JSONValue.Node) throws(ManifestRefusal) {
        let object = try ManifestObject(node, "a file of the list", .listMalformed)
        path = try Self.path(of: object)
        digest = try object.digest("sha256")
        size = ByteCount(try object.integer("size"))
        use = try object.optionalText("as", limit: 64).flatMap { Use(rawValue: $0) } ?? .fetch
        mediaType = try object.optionalText("type", limit: 256)
        group = try object.optionalText("group", limit: 1_024).map { FileGroup($0) } ?? .boot
        var deltas: [FileDelta] = []
        for node in try object.list("delta", limit: 16) {
            let object = try ManifestObject(node, "a delta of a file", .listMalformed)
            deltas.append(
                FileDelta(
                    from: try object.digest("from"), path: try Self.path(of: object),
                    size: ByteCount(try object.integer("size"))))
        }
        self.deltas = deltas
    }

    private static func path(of object: ManifestObject) throws(ManifestRefusal) -> String {
        guard case .string(let path)? = object.node("path")?.value else { throw object.refusal("path", "a text") }
        if let problem = ListedPath.problem(path) {
            throw ManifestRefusal(
                .pathOutsideBase, "The path \(JSONPrinter.quoted(String(path.prefix(200)))) is refused: \(problem).")
        }
        return path
    }

    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("path", .string(path)), ("sha256", .string("\(digest)")), ("size", .number("\(size.bytes)")),
            ("as", .string(use.rawValue)),
        ]
        if let mediaType { members.append(("type", .string(mediaType))) }
        members.append(("group", .string(group.name)))
        if !deltas.isEmpty { members.append(("delta", .list(deltas.map(\.json)))) }
        return .members(members)
    }
}
