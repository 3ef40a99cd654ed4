import Foundation
import HTTPCacheSemantics
import Manifests

/// Makes the list of a build folder: what each file is, which group it belongs to, and in which order they come.
package struct ListBuilder: Sendable {
    package let folder: BuildFolder
    /// The build tool's record; `nil` to go by the names of files alone.
    package var output: BuildOutput?
    /// The first rule that matches a file decides before all else.
    package var rules: [GroupRule] = []
    /// Whether HTML files are listed. Servers often rewrite them, which changes their hash.
    package var listsDocuments = false
    /// Besides those that ``queries`` finds; `none` for neither.
    package var ignoreQuery: [String] = []
    /// Pages that are never asked for ahead of need, besides what the build tool says of pages.
    package var sideEffectPages: [PageNeeds] = []

    private let texts: PageTexts
    private let hasDocuments: Bool

    package init(_ folder: BuildFolder, _ output: BuildOutput?) {
        (self.folder, self.output) = (folder, output)
        texts = PageTexts(folder)
        hasDocuments = folder.files.contains { Self.isDocument($0.path) }
    }

    /// The queries that pages put behind names of files, which make no other file of them on a host of files: the names
    /// of their parameters, or `*` for more of them than a list may have.
    package var queries: (parameters: [String], files: Set<String>) {
        if ignoreQuery == ["none"] { return ([], []) }
        let isMany = Set(texts.parameters + ignoreQuery).count > ReleaseList.ignoreQueryLimit
        return (isMany || texts.parameters.contains("*") ? ["*"] : texts.parameters, texts.withQuery)
    }

    /// - Parameter release: Its name; `nil` to make one of the content, so that the same files have the same name.
    package func list(release: String?) throws(ManifestToolError) -> ReleaseList {
        var files: [ListedFile] = []
        for file in publishedFiles where !Self.isDocument(file.path) || listsDocuments {
            guard let bytes = folder.bytes(file.path) else {
                throw ManifestToolError("'\(file.path)' can't be read; check its permissions.")
            }
            files.append(listed(file.path, bytes))
        }
        guard files.count <= ReleaseList.fileLimit else {
            throw ManifestToolError(
                "The folder has \(files.count) files; a list may have \(ReleaseList.fileLimit). Choose a smaller "
                    + "folder."
            )
        }
        guard !files.isEmpty else {
            throw ManifestToolError(
                "'\(folder.root.path)' has no files to list; name the folder that your build has written.")
        }
        let list = ReleaseList(
            release: release ?? "", ignoreQuery: ignoredParameters, pages: (output?.pages ?? []) + sideEffectPages,
            files: withOtherAddresses(sorted(files)))
        return release == nil ? named(list) : list
    }

    /// The files that are published, with the prefix that their URLs have.
    private var publishedFiles: [BuildFolder.File] {
        guard let output else { return folder.files }
        return folder.files.filter { $0.path.hasPrefix(output.published.folder) && !output.ownFiles.contains($0.path) }
    }

    /// The path of a file in URLs, relative to the base.
    package func urlPath(_ path: String) -> String {
        let prefix = output?.published.prefix ?? ""
        guard Self.isDocument(path), path == "index.html" || path.hasSuffix("/index.html") else {
            return prefix + URLPath.encoded(path)
        }
        // A server answers with it for the folder, and so do pages link to it.
        return prefix + URLPath.encoded(String(path.dropLast("index.html".count)))
    }

    private static func isDocument(_ path: String) -> Bool { FileKind(path, scripts: .script).use == .document }

    private var ignoredParameters: [String] {
        if ignoreQuery == ["none"] { return [] }
        let found = queries.parameters
        return found == ["*"] ? found : ignoreQuery + found.filter { !ignoreQuery.contains($0) }
    }

    /// The most addresses in a list besides those of its files.
    private static let mostOtherAddresses = 4_000

    /// Adds where a host may answer with a file as well, and how a page may spell its address.
    private func withOtherAddresses(_ files: [ListedFile]) -> [ListedFile] {
        var (files, known) = (files, Set(files.map(\.path)))
        var count = 0
        for index in files.indices {
            let path = files[index].path
            let addresses = files[index].use == .document ? DocumentAddress.others(path) : []
            var others = addresses + ([path] + addresses).flatMap { URLPath.otherSpellings(URLPath.decoded($0)) }
            others = others.filter { known.insert($0).inserted }.prefix(ListedFile.alsoLimit).map { $0 }
            count += others.count
            guard count <= Self.mostOtherAddresses else { return files }
            files[index].also = others
        }
        return files
    }

    private func listed(_ path: String, _ bytes: [UInt8]) -> ListedFile {
        let use = texts.uses[(path as NSString).lastPathComponent]
        let kind = FileKind(path, scripts: use ?? output?.scripts ?? Self.scripts(path))
        return ListedFile(
            path: urlPath(path), digest: BodyDigest(of: bytes), size: ByteCount(bytes.count), use: kind.use,
            mediaType: kind.mediaType, group: group(path, kind.use))
    }

    /// Rollup, and so Vite, name files `assets/index-BX3kTQ9a.js`, and write modules.
    private static func scripts(_ path: String) -> ListedFile.Use {
        let name = path.dropLast(3)
        guard path.hasPrefix("assets/") || path.contains("/assets/"), let dash = name.utf8.dropLast(8).last else {
            return .script
        }
        let hash = name.utf8.suffix(8)
        let isHash = hash.allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
                || $0 == 0x5F
        }
        return dash == 0x2D && isHash ? .module : .script
    }

    private var listsPages: Bool { listsDocuments && hasDocuments }

    private func group(_ path: String, _ use: ListedFile.Use) -> FileGroup {
        if let rule = rules.first(where: { $0.matches(path) }) { return rule.group }
        if use == .document {
            let page = "/" + URLPath.decoded(urlPath(path))
            return page == "/" ? .boot : .page(page)
        }
        if let group = output?.groups[path] { return group }
        switch use {
        // One that no page names must not hold a release of pages back.
        case .script, .module, .worker, .style, .font:
            guard listsPages else { return output == nil ? .boot : .lazy }
            return texts.mayName(path) ? output == nil ? .boot : .shared : .lazy
        case .audio, .video: return .lazy
        // One that keeps its name switches with the pages that name it.
        default: return listsPages && texts.mayName(path) ? .shared : .lazy
        }
    }

    /// Boot first, then pages, then what is lazy; within these documents first, then the order of the build tool, then
    /// styles, scripts, fonts and the rest.
    private func sorted(_ files: [ListedFile]) -> [ListedFile] {
        let order = Dictionary(
            (output?.order ?? []).enumerated().map { (urlPath($0.element), $0.offset) }
        ) { first, _ in first }
        func rank(_ file: ListedFile) -> (Int, Int, Int) {
            let group = file.group == .boot ? 0 : file.group == .lazy ? 2 : 1
            let use: Int
            switch file.use {
            case .document: use = 0
            case .style: use = 1
            case .script, .module, .worker: use = 2
            case .font: use = 3
            default: use = 4
            }
            return (group, file.use == .document ? -1 : order[file.path] ?? .max, use)
        }
        return files.enumerated().map { (rank($0.element), $0.offset, $0.element) }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    private func named(_ list: ReleaseList) -> ReleaseList {
        var list = list
        list.release = String("\(BodyDigest(of: list.bytes))".prefix(12))
        return list
    }
}

private func < (one: ((Int, Int, Int), Int), other: ((Int, Int, Int), Int)) -> Bool {
    one.0 == other.0 ? one.1 < other.1 : one.0 < other.0
}
