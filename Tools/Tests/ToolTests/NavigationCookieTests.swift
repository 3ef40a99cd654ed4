import CacheTesting
import Foundation
import NIOHTTP1
import Testing
import WebVisit

/// Which cookies go with the documents of a site, by what leads to them: beside WebKit's own network at https.
@Suite("cookies of documents, in a real web view", .serialized, .timeLimit(.minutes(30)))
struct NavigationCookieTests {
    let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// A page that leads to `$E`, the document that is looked at.
    struct Way: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var markup = ""
        var fields: HTTPHeaders = [:]
        /// Where the page redirects instead.
        var redirect: String?
        /// Where WebKit sends more to the own site than RFC 6265bis §5.2 has it; what Larder sends then.
        var strict: String?
        var isFrame: Bool { testDescription.hasPrefix("frame") || testDescription.hasSuffix("'s frame") }
    }

    static let ways = [
        Way(testDescription: "link", markup: "<a id=a href='$E'>x</a><script>a.click()</script>"),
        Way(testDescription: "noreferrer", markup: "<a id=a rel=noreferrer href='$E'>x</a><script>a.click()</script>"),
        Way(
            testDescription: "no-referrer", markup: "<script>location = '$E'</script>",
            fields: ["Referrer-Policy": "no-referrer"]),
        Way(testDescription: "location", markup: "<script>location.href = '$E'</script>"),
        Way(testDescription: "replace", markup: "<script>location.replace('$E')</script>"),
        Way(
            testDescription: "javascript",
            markup: "<a id=a href=\"javascript:location='$E'\">x</a><script>a.click()</script>"),
        Way(
            testDescription: "form",
            markup: "<form action='$E'><input name=a></form><script>document.forms[0].submit()</script>"),
        Way(
            testDescription: "button",
            markup: "<form action='$E'><button id=b name=a>x</button></form><script>b.click()</script>"),
        Way(
            testDescription: "post",
            markup: "<form method=post action='$E'></form><script>document.forms[0].submit()</script>"),
        Way(testDescription: "meta", markup: "<meta http-equiv=refresh content='0;url=$E'>"),
        Way(testDescription: "refresh", fields: ["Refresh": "0;url=$E"]),
        Way(testDescription: "redirect", redirect: "$E"),
        Way(testDescription: "frame", markup: "<iframe src='$E'></iframe>"),
        Way(
            testDescription: "frame redirect", markup: "<iframe src='/hop?$N'></iframe>"),
        Way(
            testDescription: "empty frame",
            markup: "<iframe id=f></iframe><script>f.contentWindow.eval(\"top.location = '$E'\")</script>"),
        Way(
            testDescription: "link beside another site's frame",
            markup: "<iframe src='$Fempty'></iframe><a id=a href='$E'>x</a><script>onload = () => a.click()</script>"),
        Way(
            testDescription: "button beside another site's frame",
            markup: """
                <iframe src='$Fempty'></iframe><form action='$E'><button id=b name=a>x</button></form>
                <script>onload = () => b.click()</script>
                """),
        Way(
            testDescription: "script beside another site's frame",
            markup: "<iframe src='$Fempty'></iframe><script>onload = () => location = '$E'</script>",
            strict: "lax none"),
        Way(
            testDescription: "another site's frame", markup: "<iframe src='$Fframe?$N'></iframe>", strict: "none"),
        Way(
            testDescription: "a frame that replaces the page",
            markup:
                "<iframe sandbox='allow-scripts allow-top-navigation' srcdoc=\"<script>top.location='$E'</script>\"></iframe>",
            strict: "lax none"),
        Way(
            testDescription: "sandboxed", markup: "<script>location.href = '$E'</script>",
            fields: ["Content-Security-Policy": "sandbox allow-scripts"]),
    ]
    static let hosts = ["shop.test", "www.shop.test", "other.test"]

    /// - Parameter scheme: Of the page's addresses.
    private static func script(_ scheme: String) -> PageOrigin.Script {
        { request in
            func filled(_ text: String, _ name: String) -> String {
                text.replacing("$E", with: "\(scheme)://shop.test/end?\(name)").replacing("$N", with: name)
                    .replacing("$F", with: "\(scheme)://other.test/")
            }
            let name = request.query
            switch request.path {
            case "/set":
                var fields: HTTPHeaders = [:]
                for cookie in ["strict=1; SameSite=Strict", "lax=1; SameSite=Lax", "none=1; SameSite=None"] {
                    fields.add(name: "Set-Cookie", value: cookie + "; Secure; Path=/; Max-Age=900")
                }
                fields.add(name: "Set-Cookie", value: "__Host-strict=1; SameSite=Strict; Secure; Path=/; Max-Age=900")
                return .page("Set", "set", fields)
            case "/hop": return .redirect(302, to: "https://shop.test/end?\(name)")
            case "/frame": return .page("Frame", filled("<iframe src='$E'></iframe>", name))
            case "/way":
                let parts = name.split(separator: "-").compactMap { Int($0) }
                guard let way = parts.first.map({ ways[$0] }) else { return .notFound }
                if let target = way.redirect {
                    return .redirect(302, to: filled(target, name).replacing("app-cache-", with: ""))
                }
                let fields = HTTPHeaders(way.fields.map { ($0.name, filled($0.value, name)) })
                return .page("Way", filled(way.markup, name) + " ", fields)
            case "/end", "/empty": return .page("End", "end", ["Cache-Control": "no-store"])
            default: return .notFound
            }
        }
    }

    /// The cookies of the last request for the document, of those behind a number of requests.
    private func sent(_ origin: PageOrigin, since count: Int = 0) -> String? {
        origin.requests[count...].last { $0.path == "/end" }.map { request in
            ["strict", "__Host-strict", "lax", "none"].filter { request.cookie($0) != nil }.joined(separator: " ")
        }
    }

    @Test("as WebKit sends them, or by the letter of RFC 6265bis")
    func ways() async throws {
        let control = try await WebViewScene(folder, hosts: Self.hosts, Self.script("https"))
        let other = try TemporaryDirectory()
        let scene = try await SessionScene(other, .appScheme, hosts: Self.hosts, Self.script("app-cache-https"))
        _ = try await control.open("https://shop.test/set")
        _ = try await scene.open("https://shop.test/set")
        for (index, way) in Self.ways.enumerated() {
            for (place, host) in Self.hosts.enumerated() {
                let name = "\(index)-\(place)", url = "https://\(host)/way?\(name)"
                let before = (control.origin.requests.count, scene.origin.requests.count)
                _ = try await control.open(url)
                _ = try await scene.open(url)
                for _ in 0..<100 where !scene.origin.requests[before.1...].contains(where: { $0.path == "/end" }) {
                    _ = try await scene.run("return 0")
                }
                let wanted = sent(control.origin, since: before.0), seen = sent(scene.origin, since: before.1)
                var expected = way.strict != nil && wanted?.contains("strict") == true ? way.strict : wanted
                // A frame's site is a third party there (`CookiePolicy.ThirdParty`).
                if expected == "none", host == "other.test", way.isFrame { expected = "" }
                #expect(seen == expected && seen != nil, "\(way.testDescription) of \(host): WebKit \(wanted ?? "-")")
            }
        }
        await control.stop()
        await scene.stop()
    }

    @Test("opened, reloaded by the user and by the page, gone back to: as signed in as before")
    func opened() async throws {
        let scene = try await SessionScene(folder, .appScheme, hosts: Self.hosts, Self.script("app-cache-https"))
        _ = try await scene.open("https://shop.test/set")
        let all = "strict __Host-strict lax none"
        func expect(_ cookies: String, _ what: String, _ step: () async throws -> Void) async throws {
            let count = scene.origin.requests.count
            try await step()
            for _ in 0..<100 where sent(scene.origin, since: count) == nil { _ = try await scene.run("return 0") }
            #expect(sent(scene.origin, since: count) == cookies, "\(what)")
        }
        try await expect(all, "opened") { _ = try await scene.open("https://shop.test/end") }
        try await expect(all, "reloaded") { _ = try await scene.session.perform(.reload(fromOrigin: false)) }
        try await expect(all, "reloaded by the page") { _ = try await scene.run("location.reload(); return 0") }
        _ = try await scene.open("https://other.test/empty")
        try await expect(all, "gone back to") { _ = try await scene.session.perform(.back) }
        _ = try await scene.open("https://other.test/empty")
        try await expect("lax none", "gone back to by another site's page") {
            _ = try await scene.run("history.back(); return 0")
        }
        await scene.stop()
    }
}
