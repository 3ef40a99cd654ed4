import HTTPCacheSemantics
import Preloading

/// Pages that are marked: a line with a glob over paths, then a line with a path.
enum SideEffectPagesTarget: FuzzTarget {
    static let name = "side-effect-pages"
    static let shapes = [
        HostileShape("%2", after: "/a\n/"), HostileShape("%2e%2e/", after: "/a\n/"), HostileShape("/", after: "/a\n"),
        HostileShape("../", after: "/a\n/"), HostileShape("a", after: "/**a\n/"), HostileShape("%", after: "/a\n/"),
        HostileShape("%61", after: "/aa\n/"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let lines = input.lines
        guard let pages = SideEffectPages(paths: [lines[0]]) else { return }
        let path = lines.count > 1 ? lines[1] : ""
        let url = "https://shop.test" + path
        guard path.hasPrefix("/") else { return }
        let isMarked = pages.contains(url)
        try claim(SideEffectPages.everything.contains(url), "everything is everything", [path])
        try claim(!SideEffectPages().contains(url), "nothing is nothing", [path])
        let isUsual = path.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2F } && !path.contains("//")
        guard isMarked, isUsual else { return }
        for other in ["http://other.test:81", "https://shop.test/"] {
            try claim(pages.contains(other + path), "on every host, with more slashes", [other, path])
        }
        try claim(pages.contains(url + "?a") && pages.contains(url + "#a"), "whatever follows the path", [path])
        let escaped = path.utf8.map { $0 == 0x2F ? "/" : "%" + String($0, radix: 16) }.joined()
        try claim(pages.contains("https://shop.test" + escaped), "escaped", [escaped])
        try claim(pages.contains("https://shop.test/x/%2e%2E" + path), "behind dots", [path])
    }
}
