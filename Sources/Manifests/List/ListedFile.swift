import HTTPCacheSemantics
import StrictJSON

/// One file of a release.
package struct ListedFile: Hashable, Sendable {
    /// Relative to the base of the head, as it stands in a URL.
    package var path: String
    /// The digest of the content after content codings are undone.
    package var digest: BodyDigest
    /// The length of the content after content codings are undone.
    package var size: ByteCount
    package var use: Use
    /// The media type that the server should state; `nil` for any.
    package var mediaType: String?
    package var group: FileGroup
    /// Other addresses, written as ``path``, where hosts may answer with the file as well: `about` of `about.html`.
    package var also: [String] = []

    /// The most addresses in ``also``.
    package static let alsoLimit = 8

    /// The value of `as`: the preloader sends the request that the web view would send.
    package enum Use: String, CaseIterable, Sendable {
        case document, style, script, module, font, image, audio, video, track, worker, manifest
        /// Anything else that a script asks for, or that a newer version names.
        case fetch
    }

    package init(
        path: String, digest: BodyDigest, size: ByteCount, use: Use, mediaType: String? = nil,
        group: FileGroup = .boot, also: [String] = []
    ) {
        (self.path, self.digest, self.size, self.use) = (path, digest, size, use)
        (self.mediaType, self.group, self.also) = (mediaType, group, also)
    }

    /// - Parameter base: The head's base.
    package func url(base: String) -> String { base + path }

    /// The URLs of ``also``. The folder of the base without its slash is one where its document has others.
    package func otherURLs(base: String) -> [String] {
        let urls = also.map { base + $0 }
        guard !also.isEmpty, path.isEmpty, let parts = TargetURI.split(base), parts.path != "/" else { return urls }
        return urls + [String(base.dropLast())]
    }

    init(_ node: JSONValue.Node) throws(ManifestRefusal) {
        let object = try ManifestObject(node, "a file of the list", .listMalformed)
        path = try Self.path(of: object)
        digest = try object.digest("sha256")
        size = ByteCount(try object.integer("size"))
        use = try object.optionalText("as", limit: 64).flatMap { Use(rawValue: $0) } ?? .fetch
        mediaType = try object.optionalText("type", limit: 256)
        group = try object.optionalText("group", limit: 1_024).map { FileGroup($0) } ?? .boot
        also = try object.texts("also", count: Self.alsoLimit, limit: ListedPath.limit)
        for other in also {
            // Nothing resolves it, so that a ":" is none of a scheme.
            if let problem = ListedPath.problem(other, mayBeginAsScheme: true) { throw Self.refusal(other, problem) }
        }
    }

    private static func path(of object: ManifestObject) throws(ManifestRefusal) -> String {
        guard case .string(let path)? = object.node("path")?.value else { throw object.refusal("path", "a text") }
        if let problem = ListedPath.problem(path) { throw refusal(path, problem) }
        return path
    }

    private static func refusal(_ path: String, _ problem: String) -> ManifestRefusal {
        ManifestRefusal(
            .pathOutsideBase, "The path \(JSONPrinter.quoted(String(path.prefix(200)))) is refused: \(problem).")
    }

    var json: JSONValue {
        var members: [(String, JSONValue)] = [
            ("path", .string(path)), ("sha256", .string("\(digest)")), ("size", .number("\(size.bytes)")),
            ("as", .string(use.rawValue)),
        ]
        if let mediaType { members.append(("type", .string(mediaType))) }
        members.append(("group", .string(group.name)))
        if !also.isEmpty { members.append(("also", .list(also.map { .string($0) }))) }
        return .members(members)
    }
}

/// A name for files that are needed together. Files of `boot` are fetched first, those of `lazy` last.
package struct FileGroup: Hashable, Sendable {
    package var name: String

    package init(_ name: String) { self.name = name }

    /// Files that each page needs.
    package static let boot = FileGroup("boot")
    /// Files that no page is known to need at once.
    package static let lazy = FileGroup("lazy")
    /// Files that some pages need, such as the chunks of routes.
    package static let shared = FileGroup("shared")
    /// Files that one page needs: `page:/item`.
    package static func page(_ path: String) -> FileGroup { FileGroup("page:" + path) }
}

/// Which groups the pages under a pattern need, and whether they may be opened ahead of need.
package struct PageNeeds: Hashable, Sendable {
    /// A glob over the path of a page, as rules files have it: `/item/*`.
    package var match: String
    package var needs: [FileGroup]
    /// Whether a GET of them does something, so that they are never asked for ahead of need; `false` unless set.
    package var hasSideEffects: Bool

    package init(match: String, needs: [FileGroup], hasSideEffects: Bool = false) {
        (self.match, self.needs, self.hasSideEffects) = (match, needs, hasSideEffects)
    }

    init(_ node: JSONValue.Node) throws(ManifestRefusal) {
        let object = try ManifestObject(node, "a page of the list", .listMalformed)
        match = try object.text("match", limit: 1_024)
        needs = try object.texts("needs", count: 64, limit: 1_024).map { FileGroup($0) }
        hasSideEffects = try object.flag("sideEffects")
    }

    var json: JSONValue {
        .members(
            [("match", .string(match)), ("needs", .list(needs.map { .string($0.name) }))]
                + (hasSideEffects ? [("sideEffects", .bool(true))] : []))
    }
}
