import CacheRules
import HTTPCacheSemantics
import Manifests

/// Pages for which a GET does something, such as one that signs out; they are never asked for ahead of need.
///
/// A URL that can't be understood counts as marked.
package struct SideEffectPages: Sendable {
    private var globs: [(origin: String?, glob: PathGlob)] = []
    /// Where everything counts as marked.
    private var origins: [String] = []
    /// Whether nothing is known, so that every page may be one.
    private(set) var isEverything = false

    package init() {}

    /// Every page: the list of marked pages is missing.
    package static var everything: SideEffectPages {
        var pages = SideEffectPages()
        pages.isEverything = true
        return pages
    }

    /// - Parameter paths: Globs over paths, as in rules: `/basket/add/**`. They count for every host.
    /// - Returns: `nil` where one of them is no such glob, or has a query or a fragment.
    package init?(paths: [String]) {
        for path in paths {
            guard let glob = Self.glob(path) else { return nil }
            globs.append((nil, glob))
        }
    }

    /// Adds what a manifest's list marks of the pages at a URL's origin.
    mutating func add(_ list: ReleaseList, origin: String) {
        var states = 0
        for page in list.pages where page.hasSideEffects {
            guard let glob = Self.glob(page.match) else { return origins.append(origin) }
            states += glob.stateCount
            // All of its site counts as marked then, so that no list makes looking slow.
            guard states <= PageFiles.mostStates else { return origins.append(origin) }
            globs.append((origin, glob))
        }
    }

    package mutating func add(_ other: SideEffectPages) {
        globs += other.globs
        origins += other.origins
        isEverything = isEverything || other.isEverything
    }

    /// Whether a URL is marked. Other spellings of a path count, as some servers take them for the same: `%6F` for `o`,
    /// upper case, several slashes for one, a slash at the end.
    package func contains(_ url: String) -> Bool {
        if isEverything { return true }
        guard !globs.isEmpty || !origins.isEmpty else { return false }
        guard let url = TargetURI.resolve(url, against: url) else { return true }
        if origins.contains(where: { TargetURI.haveSameOrigin($0, url) }) { return true }
        let paths = Self.spellings(of: url)
        return globs.contains { origin, glob in
            origin.map { TargetURI.haveSameOrigin($0, url) } ?? true && paths.contains { glob.fits($0) }
        }
    }

    /// Paths that a server may take a URL's path for: without upper case, parameters (`;x`), empty segments, a slash or
    /// dots at the end, and with its octets decoded up to three times.
    private static func spellings(of url: String) -> Set<String> {
        guard let parts = TargetURI.split(url) else { return [] }
        var path = String(parts.path.prefix { $0 != "?" })
        var all: Set<String> = []
        for _ in 0..<4 {
            for spelling in [path, withoutParameters(path)] {
                all.insert(folded(spelling))
                // `%2e%2e` may be meant as two dots.
                if let resolved = TargetURI.resolve(slashed(spelling), against: url).flatMap({ TargetURI.split($0) }) {
                    all.insert(folded(resolved.path))
                }
            }
            let next = decoded(path)
            guard next != path else { break }
            path = next
        }
        return all
    }

    /// The glob for a mark: any spelling of its path will do as well. Nothing can be marked by a query.
    private static func glob(_ mark: String) -> PathGlob? {
        guard mark.hasPrefix("/"), !mark.contains("?"), !mark.contains("#") else { return nil }
        return PathGlob(folded(decoded(mark)))
    }

    private static func folded(_ path: String) -> String {
        let segments = withoutParameters(slashed(path)).lowercased().split(separator: "/").compactMap { segment in
            var segment = segment.prefix { $0 != "\0" }
            while let last = segment.last, last == "." || last == " ", segment != "..", segment != "." {
                segment = segment.dropLast()
            }
            return segment.isEmpty ? nil : String(segment)
        }
        return "/" + segments.joined(separator: "/")
    }

    private static func slashed(_ path: String) -> String { String(path.map { $0 == "\\" ? "/" : $0 }) }

    private static func withoutParameters(_ path: String) -> String {
        guard path.contains(";") else { return path }
        return path.split(separator: "/", omittingEmptySubsequences: false).map { $0.prefix { $0 != ";" } }
            .joined(separator: "/")
    }

    private static func decoded(_ path: String) -> String {
        String(decoding: PercentEncoding.decoded(path.utf8), as: UTF8.self)
    }
}
