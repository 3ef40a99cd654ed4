import Manifests

/// Next's `.next` folder: `build-manifest.json` and, where webpack built it, `app-build-manifest.json`. What is
/// published is its `static` folder, below `_next/` in URLs.
///
/// Turbopack writes the files of app routes into scripts (`*_client-reference-manifest.js`), which are not read: they
/// are `lazy` then.
enum NextBuild {
    static func read(_ folder: BuildFolder) throws(ManifestToolError) -> BuildOutput? {
        guard let json = JSONFile(folder, "build-manifest.json"), let pages = json["pages"] else { return nil }
        var output = BuildOutput(name: "Next's build-manifest.json", scripts: .script)
        output.published = (folder: "static/", prefix: "_next/")
        let files = PublishedNames(folder)
        func paths(_ list: JSONFile?) -> [String] { (list?.texts ?? []).compactMap { files.path($0) } }
        for path in paths(json["rootMainFiles"]) + paths(pages["/_app"]) { output.add(path, to: .boot) }
        var routes: [(route: String, files: [String])] = []
        for page in pages.members where !["/_app", "/_error", "/_document"].contains(page.key) {
            routes.append((page.key, paths(page.value)))
        }
        for page in JSONFile(folder, "app-build-manifest.json")?["pages"]?.members ?? [] {
            // "/blog/[slug]/page" is the page; layouts are shared by the pages below them.
            guard page.key.hasSuffix("/page") else { continue }
            let route = String(page.key.dropLast(5))
            routes.append((route.isEmpty ? "/" : route, paths(page.value)))
        }
        let counts = routes.flatMap { Set($0.files) }.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        for (route, paths) in routes {
            for path in paths { output.add(path, to: (counts[path] ?? 0) > 1 ? .shared : .page(route)) }
            output.pages.append(PageNeeds(match: pattern(route), needs: [.boot, .shared, .page(route)]))
        }
        return output
    }

    /// `/blog/[slug]` as a glob, `/blog/*`; `[...rest]` becomes `**`. Parts in parentheses are no part of the path.
    static func pattern(_ route: String) -> String {
        let segments = route.split(separator: "/").filter { !($0.hasPrefix("(") && $0.hasSuffix(")")) }
        return "/"
            + segments.map { segment in
                guard segment.hasPrefix("["), segment.hasSuffix("]") else { return String(segment) }
                return segment.contains("...") ? "**" : "*"
            }.joined(separator: "/")
    }
}
