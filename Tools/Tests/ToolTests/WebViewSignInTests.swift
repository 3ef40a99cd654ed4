import CacheTesting
import Foundation
import Testing
import WebVisit
import WireSupport

/// Signing in at another host, in a real WebKitGTK and through the rules that web views get. RFC 6749 §4.1.
@Suite("signing in, in a real web view", .serialized)
struct WebViewSignInTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private static let app = "https://app.test"
    private static let provider = "https://id.test"

    /// An application with pages for those who have signed in, and an identity provider. Each visit to the personal
    /// page gets a new session cookie, as servers that rotate them do: only the last one is good.
    private static func site(_ session: RequestCounter, isKept: Bool) -> PageOrigin.Script {
        let current = RequestCounter()
        let fresh: String = isKept ? "max-age=600" : "no-cache"
        return { request in
            switch (request.host, request.path) {
            case ("app.test", "/me"):
                guard let cookie = request.cookie("session") else {
                    return .redirect(
                        302,
                        to: "\(provider)/authorize?response_type=code&client_id=app&state=xyz"
                            + "&redirect_uri=https%3A%2F%2Fapp.test%2Fsignin")
                }
                return .page(
                    "Personal", "Hello, session \(cookie)",
                    [
                        "Cache-Control": fresh, "ETag": "\"me\"",
                        "Set-Cookie":
                            "session=s\(session.next()); Path=/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure",
                    ])
            case ("id.test", "/authorize"):
                // A provider that forgets to say that its answer is for once.
                let code = current.next()
                return .redirect(
                    302, to: "\(app)/signin?code=c\(code)&state=\(request.parameter("state") ?? "")",
                    ["Cache-Control": "max-age=600", "Set-Cookie": "provider=p; Path=/; Max-Age=3600; HttpOnly"])
            case ("app.test", "/signin"):
                guard request.parameter("code") != nil, request.parameter("state") == "xyz" else { return .notFound }
                return .redirect(
                    302, to: "/me",
                    [
                        "Cache-Control": "max-age=600",
                        "Set-Cookie":
                            "session=s\(session.next()); Path=/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure",
                    ])
            default: return .notFound
            }
        }
    }

    @Test("the flow ends on the personal page, the next visit is still signed in, and nothing of the flow is stored")
    func flow() async throws {
        let session = RequestCounter()
        let scene = try await WebViewScene(folder, hosts: ["app.test", "id.test"], Self.site(session, isKept: false))
        let first = try await scene.open("\(Self.app)/me", script: "return [document.body.innerText, document.cookie]")
        #expect(first.finalURL == "\(Self.app)/me" && first.title == "Personal" && first.mainStatus == 200)
        // The cookie of the sign-in was sent, and scripts see none of it.
        #expect(first.scriptResult == #"["Hello, session s1",""]"#)
        #expect(
            scene.origin.asked.filter { $0 != "app.test/favicon.ico" } == [
                "app.test/me", "id.test/authorize", "app.test/signin", "app.test/me",
            ])
        let second = try await scene.open("\(Self.app)/me")
        #expect(second.scriptResult == #""Hello, session s2""#)
        #expect(scene.origin.asked.last { !$0.hasSuffix(".ico") } == "app.test/me")
        #expect(scene.origin.requests.filter { $0.host == "id.test" && $0.path == "/authorize" }.count == 1)
        // Nothing of the flow is stored, though two of its steps said max-age=600.
        let steps = scene.origin.requests.filter { $0.path != "/me" && !$0.path.hasSuffix(".ico") }
            .map { "https://\($0.host)\($0.path)?\($0.query)" }
        #expect(steps.count == 2)
        for url in steps {
            #expect(try await scene.stored(url).isEmpty, "\(url)")
            let explained = try await ToolProcess.run(
                ToolProcess.larder, ["explain", url, "--rules", "default", "--store", folder.store])
            #expect(explained.status == 1, "\(explained.out)")
        }
        let reports = await scene.reports().filter { $0.uri.contains("/authorize") || $0.uri.contains("/signin") }
        #expect(reports.map(\.rule) == ["sign-in-path", "sign-in-query"])
        await scene.stop()
    }

    @Test("a cookie that came with a stored page is not set again when the page comes from the store")
    func noRollBack() async throws {
        let session = RequestCounter()
        let scene = try await WebViewScene(folder, hosts: ["app.test", "id.test"], Self.site(session, isKept: true))
        // Signed in with s1; the page's own answer, which is stored, sets s2.
        #expect(try await scene.open("\(Self.app)/me").scriptResult == #""Hello, session s1""#)
        let entry = try #require(try await scene.stored("\(Self.app)/me").first)
        // RFC 9111 §3.1 has it stored; what a web view is given lacks it.
        #expect(entry.response.fields[.setCookie]?.contains("session=s2") == true)
        // A newer session, of which the stored page knows nothing.
        let other = try await scene.open("\(Self.app)/signin?code=c9&state=xyz")
        #expect(other.finalURL == "\(Self.app)/me" && other.scriptResult == #""Hello, session s1""#)
        #expect(scene.origin.asked.filter { $0 == "app.test/me" }.count == 2)
        // Were it set again, the session of the next request would be s2, the old one.
        let asked = try await scene.open(
            "\(Self.app)/me",
            script: "return (await (await fetch('/me', {cache: 'no-store'})).text()).match(/session (s\\d+)/)[1]")
        #expect(asked.scriptResult == #""s3""#)
        await scene.stop()
    }

    @Test("a cookie without a lifetime carries the flow within one visit, and is gone with it")
    func sessionCookie() async throws {
        let session = RequestCounter()
        let script = Self.site(session, isKept: false)
        let scene = try await WebViewScene(folder, hosts: ["app.test", "id.test"]) { request in
            var answer = await script(request)
            let cookie = answer.fields["Set-Cookie"].first
            if let cookie {
                answer.fields.replaceOrAdd(name: "Set-Cookie", value: cookie.replacing("Max-Age=3600; ", with: ""))
            }
            return answer
        }
        let first = try await scene.open(
            "\(Self.app)/me",
            script: "return (await (await fetch('/me', {cache: 'no-store'})).text()).match(/session (s\\d+)/)[1]")
        #expect(first.finalURL == "\(Self.app)/me" && first.scriptResult == #""s2""#)
        _ = try await scene.open("\(Self.app)/me")
        #expect(scene.origin.asked.filter { $0 == "id.test/authorize" }.count == 2)
        await scene.stop()
    }
}
