import CacheRules
import HTTPCacheSemantics
import Manifests

/// Which files of a release a page needs.
struct PageFiles: Sendable {
    /// In all patterns of a list; those after it are not looked at, so that no list makes looking slow.
    static let mostStates = 20_000

    private let patterns: [(glob: PathGlob, groups: Set<String>)]
    private let urls: [String: [String]]
    private let origin: String

    /// - Parameter origin: Of the pages.
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
    }

    /// The URLs of the groups that a page's patterns name, and of the group that is called after its path.
    func needed(by page: String) -> Set<String> {
        guard TargetURI.haveSameOrigin(origin, page), let parts = TargetURI.split(page) else { return [] }
        let path = String(parts.path.prefix { $0 != "?" && $0 != "#" })
        var groups: Set<String> = [FileGroup.page(path).name]
        for pattern in patterns where pattern.glob.fits(path) { groups.formUnion(pattern.groups) }
        return Set(groups.flatMap { urls[$0] ?? [] })
    }
}
