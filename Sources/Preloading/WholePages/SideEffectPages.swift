import CacheRules
import HTTPCacheSemantics
import Manifests

/// Pages for which a GET does something, such as one that signs out or puts a thing into a basket. They are never asked for
/// ahead of need.
///
/// Whatever can't be understood counts as marked.
public struct SideEffectPages: Sendable {
    /// In the patterns of one list; if there are more, all of its site counts as marked, so that no list makes looking slow.
    static let mostStates = 20_000

    private var globs: [(origin: String?, glob: PathGlob)] = []
    /// Where everything counts as marked.
    private var origins: [String] = []
    /// Whether nothing is known, so that every page may be one.
    private(set) var isEverything = false

    public init() {}

    /// For where it can't be known what is marked.
    public static var everything: SideEffectPages {
        var pages = SideEffectPages()
        pages.isEverything = true
        return pages
    }

    /// - Parameter paths: Globs over paths, as in rules: `/basket/add/**`. They count for every host.
    /// - Returns: `nil` where one of them is no such glob.
    public init?(paths: [String]) {
        for path in paths {
            guard let glob = PathGlob(path) else { return nil }
            globs.append((nil, glob))
        }
    }

    /// Adds what a manifest's list marks.
    ///
    /// - Parameter origin: A URL of the pages' origin.
    mutating func add(_ list: ReleaseList, origin: String) {
        var states = 0
        for page in list.pages where page.hasSideEffects {
            guard let glob = PathGlob(page.match) else { return origins.append(origin) }
            states += glob.stateCount
            guard states <= Self.mostStates else { return origins.append(origin) }
            globs.append((origin, glob))
        }
    }

    public mutating func add(_ other: SideEffectPages) {
        globs += other.globs
        origins += other.origins
        isEverything = isEverything || other.isEverything
    }

    /// Whether a URL is marked. Other spellings of a path count, as some servers take them for the same: `%6F` for `o`, and
    /// several slashes for one.
    public func contains(_ url: String) -> Bool {
        if isEverything { return true }
        guard !globs.isEmpty || !origins.isEmpty else { return false }
        guard let url = TargetURI.resolve(url, against: url) else { return true }
        if origins.contains(where: { TargetURI.haveSameOrigin($0, url) }) { return true }
        let paths = Self.spellings(of: url)
        return globs.contains { origin, glob in
            origin.map { TargetURI.haveSameOrigin($0, url) } ?? true && paths.contains { glob.fits($0) }
        }
    }

    private static func spellings(of url: String) -> Set<String> {
        guard let parts = TargetURI.split(url) else { return [] }
        let path = String(parts.path.prefix { $0 != "?" })
        let decoded = decoded(path)
        // `%2e%2e` may be meant as two dots.
        let resolved = TargetURI.resolve(decoded, against: url).flatMap { TargetURI.split($0)?.path } ?? decoded
        let all: [String] = [path, decoded, resolved]
        return Set(all + all.map { withoutEmptySegments($0) })
    }

    private static func decoded(_ path: String) -> String {
        var octets: [UInt8] = []
        var rest = Array(path.utf8)[...]
        while let octet = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if octet == 0x25, digits.utf8.count == 2, let value = UInt8(digits, radix: 16), digits.first != "+" {
                octets.append(value)
                rest = rest.dropFirst(2)
            } else {
                octets.append(octet)
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }

    private static func withoutEmptySegments(_ path: String) -> String {
        let segments = path.split(separator: "/")
        return "/" + segments.joined(separator: "/") + (path.count > 1 && path.hasSuffix("/") ? "/" : "")
    }
}
