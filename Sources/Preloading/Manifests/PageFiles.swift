import CacheRules
import HTTPCacheSemantics
import Manifests

/// Which files of a release a page needs.
struct PageFiles: Sendable {
    /// In all patterns of a list; those after it are not looked at, so that no list makes looking slow.
    static let mostStates = 20_000
    /// States of patterns that are looked at for all documents together.
    private static let mostLooks = 500_000

    private let patterns: [(glob: PathGlob, groups: Set<String>)]
    private let urls: [String: [String]]
    private let origin: String
    private let basePath: String
    private let states: Int
    private let documents: Int
    var hasDocuments: Bool { documents > 0 }

    /// - Parameter origin: The pages' origin.
    init(_ list: ReleaseList, base: String, origin: String) {
        var states = 0
        patterns = list.pages.prefix(ReleaseList.pageLimit).compactMap { page in
            guard let glob = PathGlob(page.match) else { return nil }
            states += glob.stateCount
            return states <= Self.mostStates ? (glob, Set(page.needs.map(\.name))) : nil
        }
        urls = Dictionary(grouping: list.files, by: \.group.name).mapValues { files in
            files.map { $0.url(base: base) }
        }
        self.origin = origin
        basePath = TargetURI.split(base)?.path ?? "/"
        self.states = states
        documents = list.files.count { $0.use == .document }
    }

    /// The needs of a document at a URL: the files of `boot`, of its own group, and of those that patterns name for it.
    func needs(of file: ListedFile, at url: String) -> DocumentNeeds {
        // Looking at all patterns for each document would be slow.
        guard states <= Self.mostLooks / max(1, documents), let parts = TargetURI.split(url) else { return .release }
        return .labels(groups(of: parts.path).union([FileGroup.boot.name, file.group.name]))
    }

    /// The URLs of the groups that a page's patterns name, and of the group that is called after its path.
    func needed(by page: String) -> Set<String> {
        guard TargetURI.haveSameOrigin(origin, page), let parts = TargetURI.split(page) else { return [] }
        return Set(groups(of: parts.path).flatMap { urls[$0] ?? [] })
    }

    private func groups(of target: String) -> Set<String> {
        let path = String(target.prefix { $0 != "?" && $0 != "#" })
        // A build names its groups after decoded paths below the base; a publisher may name them after addresses.
        var paths = [path]
        if path.hasPrefix(basePath) { paths.append("/" + path.dropFirst(basePath.count)) }
        var groups = Set(
            paths.flatMap { [$0, String(decoding: PercentEncoding.decoded($0.utf8), as: UTF8.self)] }
                .map { FileGroup.page($0).name })
        for pattern in patterns where paths.contains(where: pattern.glob.fits) { groups.formUnion(pattern.groups) }
        return groups
    }
}
