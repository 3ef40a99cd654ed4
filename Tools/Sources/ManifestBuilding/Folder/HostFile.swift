/// Files that hosts read and do not publish, and pages that they send as errors.
enum HostFile {
    /// Cloudflare Pages and Netlify; Azure; Vercel; Firebase; GitHub; Apache and IIS; what starts servers.
    private static let names: Set<String> = [
        "_headers", "_redirects", "_routes.json", "_worker.js", "_worker.bundle", "wrangler.toml", "wrangler.json",
        "wrangler.jsonc", "netlify.toml", "staticwebapp.config.json", "vercel.json", "now.json", "firebase.json",
        "CNAME", "Procfile", "app.yaml", "render.yaml", "fly.toml", "amplify.yml", "nginx.conf", "Caddyfile",
        "Dockerfile",
    ]

    /// Why a file, or a folder, is not listed; `nil` if it is.
    static func reasonToSkip(_ path: String) -> String? {
        let parts = path.split(separator: "/").map(String.init)
        guard let name = parts.last else { return nil }
        // IIS reads its own in each folder; the others are read at the top.
        if name.lowercased() == "web.config" || parts.count == 1 && names.contains(name) {
            return "read by the host, not served"
        }
        let isIndex =
            name == "index.html" && (parts.dropLast().last.map { ["404", "_not-found"].contains($0) } ?? false)
        if isIndex || ["404.html", "404.htm", "_not-found.html"].contains(name) {
            return "error page, which has the status 404"
        }
        return nil
    }
}
