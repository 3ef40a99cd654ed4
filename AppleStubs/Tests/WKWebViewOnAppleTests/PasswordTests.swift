import AppleFoundation
import CacheTesting
import HTTPTypes
import Locking
import SchemeTasks
import Testing
import WebKit

@testable import WKWebViewOnApple

/// Servers that ask for a password, for pages that a scheme handler answers.
@MainActor
@Suite("Passwords in scheme modes", .timeLimit(.minutes(5)))
struct PasswordTests {
    private let bench = WebViewBench()
    private let url = "app-cache-https://shop.test:8443/a"

    /// A server that lets in "u" with the password "p", and an app's delegate in front of a web view.
    private func view(_ app: AppDelegate) -> WKWebView {
        bench.transport.on("https://shop.test:8443/a") { request in
            let isIn = request.head.headerFields[.authorization] == "Basic dTpw"
            return ScriptedTransport.answer(
                isIn ? 200 : 401, isIn ? [:] : [.wwwAuthenticate: "Basic realm=\"Staging \u{202E}\""],
                body: isIn ? "in" : "who?")
        }
        let installation = bench.install(.appScheme(hosts: ["shop.test"]))
        let view = bench.makeView()
        view.navigationDelegate = app
        installation.attach(to: view)
        return view
    }

    /// What the page shows, or how the load failed.
    private func open(_ view: WKWebView) async -> String? {
        #expect(bench.decide(view, url) == [.allow])
        guard let task = await bench.ask(url, in: view, { $0.mainDocumentURL = $0.url }) else { return nil }
        #expect(task.faults == [])
        return task.content.isEmpty ? task.calls.last : String(decoding: task.content, as: UTF8.self)
    }

    @Test("the app's delegate is asked with a protection space of the server, and its credential is used")
    func credential() async {
        let app = AppDelegate(["challenge"])
        (app.disposition, app.credential) = (
            .useCredential, URLCredential(user: "u", password: "p", persistence: .forSession)
        )
        var seen: [String] = []
        app.challenged = { challenge, handler in
            let space = challenge.protectionSpace
            seen.append(
                "\(space.host) \(space.port) \(space.protocol ?? "") [\(space.realm ?? "")] \(space.authenticationMethod) "
                    + "\(challenge.previousFailureCount) \(space.isProxy())")
            handler(app.disposition, app.credential)
        }
        let view = view(app)
        #expect(await open(view) == "in")
        #expect(seen == ["shop.test 8443 https [Staging ] NSURLAuthenticationMethodHTTPBasic 0 false"])
        #expect(await open(view) == "in")
        #expect(app.calls == ["challenge"])
    }

    @Test(
        "by default, where the space is rejected and without a credential the page gets the 401",
        arguments: [.performDefaultHandling, .rejectProtectionSpace, .useCredential]
            as [URLSession.AuthChallengeDisposition])
    func shown(_ disposition: URLSession.AuthChallengeDisposition) async {
        let app = AppDelegate(["challenge"])
        app.disposition = disposition
        #expect(await open(view(app)) == "who?")
        #expect(app.calls == ["challenge"])
    }

    @Test("cancelling fails the load as WebKit does")
    func cancelled() async {
        let app = AppDelegate(["challenge"])
        #expect(await open(view(app)) == "fail")
        #expect(app.calls == ["challenge"])
        let error = SchemeTaskError(code: .authenticationCancelled, message: "").urlError
        #expect(error.code == NSURLErrorUserCancelledAuthentication)
    }

    @Test("a delegate without the method, or none, is not asked: the page gets the 401")
    func noMethod() async {
        let app = AppDelegate()
        #expect(await open(view(app)) == "who?")
        #expect(app.calls == [])
    }

    @Test("a wrong password is asked about again, with the number of failures")
    func failures() async {
        let app = AppDelegate(["challenge"])
        var counts: [Int] = []
        app.challenged = { challenge, handler in
            counts.append(challenge.previousFailureCount)
            let password = challenge.previousFailureCount == 0 ? "wrong" : "p"
            handler(.useCredential, URLCredential(user: "u", password: password, persistence: .forSession))
        }
        #expect(await open(view(app)) == "in")
        #expect(counts == [0, 1])
    }

    @Test("an app that answers twice is heard once, and one that never answers gets the page its 401")
    func handlers() async {
        let twice = AppDelegate(["challenge"])
        twice.challenged = { _, handler in
            handler(.performDefaultHandling, nil)
            handler(.useCredential, URLCredential(user: "u", password: "p", persistence: .forSession))
        }
        #expect(await open(view(twice)) == "who?")
        #expect(twice.calls == ["challenge"])
        let never = AppDelegate(["challenge"])
        never.challenged = { _, _ in }
        #expect(await open(view(never)) == "who?")
        #expect(never.calls == ["challenge"])
    }

    @Test("a delegate that the app puts in front of ours is asked once, and passes on to the one before")
    func chain() async {
        let (before, front) = (AppDelegate(["challenge"]), AppDelegate(["challenge"]))
        (before.disposition, before.credential) = (
            .useCredential, URLCredential(user: "u", password: "p", persistence: .forSession)
        )
        let view = view(before)
        front.next = view.navigationDelegate
        view.navigationDelegate = front
        #expect(await open(view) == "in")
        #expect(front.calls.filter { $0 == "challenge" }.count == 1)
        #expect(before.calls.filter { $0 == "challenge" }.count == 1)
    }

    @Test("another web view of the data store need not ask; once its cookies are cleared it does")
    func dataStore() async {
        let app = AppDelegate(["challenge"])
        (app.disposition, app.credential) = (
            .useCredential, URLCredential(user: "u", password: "p", persistence: .forSession)
        )
        let first = view(app)
        #expect(await open(first) == "in")
        #expect(await open(view(app)) == "in")
        #expect(app.calls == ["challenge"])
        await WebViewData(bench.configuration.websiteDataStore).removeData(of: [.cookies], host: nil, since: nil)
        #expect(await open(first) == "in")
        #expect(app.calls == ["challenge", "challenge"])
    }

    @Test("a credential for once is not remembered")
    func once() async {
        let app = AppDelegate(["challenge"])
        (app.disposition, app.credential) = (
            .useCredential, URLCredential(user: "u", password: "p", persistence: .none)
        )
        let view = view(app)
        for _ in 0..<2 { #expect(await open(view) == "in") }
        #expect(app.calls == ["challenge", "challenge"])
    }
}
