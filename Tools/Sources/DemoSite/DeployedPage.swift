/// A page of a site that is deployed again and again: names that stay (style, picture), names with a hash (script,
/// module, route), and a route that its script imports late. Of an earlier release the server has nothing any more.
///
/// The page's title is JSON: of which release each of its files is, 0 for one that did not come.
package enum DeployedPage {
    private static let hosts = DemoHosts()

    /// The page's address.
    package static let url = hosts.origin(of: hosts.shop) + "/"

    /// - Parameter release: 1 or more; says which release each file is of.
    package static func release(_ release: Int) -> DemoSite {
        func hashed(_ name: String, _ source: String) -> DemoFile {
            let bytes = Array(source.utf8)
            return file(
                "/\(name).\(HexDigest.sha256(bytes).prefix(16)).js", "text/javascript", bytes,
                "max-age=31536000, immutable")
        }
        let part = hashed("part", "export const release = \(release);")
        let route = hashed("route", "export const release = \(release);")
        let app = hashed(
            "app",
            """
            import { release as part } from ".\(part.path)";
            const route = await import(".\(route.path)").then(module => module.release, () => 0);
            if (document.readyState !== "complete") await new Promise(done => addEventListener("load", done));
            const style = Number(getComputedStyle(document.documentElement).getPropertyValue("--release"));
            document.title = JSON.stringify({
              page: Number(document.body.dataset.release), app: \(release), part, route, style,
              picture: document.querySelector("img").naturalWidth });
            """)
        let page = """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{}</title>
            <link rel="stylesheet" href="/site.css"><link rel="modulepreload" href="\(part.path)">
            <link rel="modulepreload" href="\(route.path)"></head><body data-release="\(release)">
            <h1>Release \(release)</h1><img src="/mark.svg" alt=""><script type="module" \
            src="\(app.path)"></script></body></html>
            """
        let mark = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(release)\" height=\"4\"/>"
        let files = [
            file("/", "text/html; charset=utf-8", Array(page.utf8), nil),
            file("/site.css", "text/css", Array(":root { --release: \(release) }".utf8), nil),
            file("/mark.svg", "image/svg+xml", Array(mark.utf8), nil), app, part, route,
        ]
        return DemoSite(version: release, hosts: hosts, files: files)
    }

    private static func file(_ path: String, _ type: String, _ bytes: [UInt8], _ control: String?) -> DemoFile {
        DemoFile(host: hosts.shop, path: path, contentType: type, bytes: bytes, cacheControl: control)
    }
}
