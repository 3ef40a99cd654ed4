import CacheTesting
import Foundation
import Testing
import WebVisit

/// Two users of one app on one machine, in a real WebKitGTK.
@Suite("accounts, in a real web view", .serialized)
struct WebViewAccountTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// A page that says in its text, its colours, a script's variable, a picture and an answer of its API whose it is,
    /// and forgets `Vary: Cookie` everywhere.
    @Sendable private static func site(_ request: PageOrigin.Request) -> PageOrigin.Answer {
        let user = request.cookie("user") ?? "nobody"
        let colour = ["a": "#d02020", "b": "#2020d0"][user] ?? "#808080"
        let kept = "max-age=600"
        switch request.path {
        case "/login":
            return .redirect(
                302, to: "/",
                ["Set-Cookie": "user=\(request.parameter("user") ?? ""); Path=/; Max-Age=3600; HttpOnly; SameSite=Lax"])
        case "/":
            return PageOrigin.Answer(
                fields: ["Content-Type": "text/html", "Cache-Control": kept],
                body: """
                    <!DOCTYPE html><title>Page of \(user)</title><body style="background:\(colour)">
                    <h1>Page of \(user)</h1><img src="/picture.svg" width="200" height="200"><p id="script"></p><p id="api"></p>
                    <script src="/app.js"></script></body>
                    """)
        case "/app.js":
            return PageOrigin.Answer(
                fields: ["Content-Type": "text/javascript", "Cache-Control": kept],
                body: """
                    document.getElementById("script").textContent = "script of \(user)";
                    fetch("/data.json").then(answer => answer.json()).then(data => {
                        document.getElementById("api").textContent = "data of " + data.user;
                    });
                    """)
        case "/picture.svg":
            return PageOrigin.Answer(
                fields: ["Content-Type": "image/svg+xml", "Cache-Control": kept],
                body: "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='200'>"
                    + "<rect width='\(user == "a" ? 50 : 150)' height='200' fill='white'/></svg>")
        case "/data.json":
            return PageOrigin.Answer(
                fields: ["Content-Type": "application/json", "Cache-Control": kept], body: "{\"user\": \"\(user)\"}")
        default: return .notFound
        }
    }

    /// What the page says as soon as its API has answered, which neither its load event nor a pause is a sign of.
    private static let answered = """
        const api = document.getElementById("api");
        while (api && !api.textContent) await new Promise(requestAnimationFrame);
        """ + "\n" + WebViewScene.text

    private static func whole(_ user: String) -> String { "\"Page of \(user) script of \(user) data of \(user)\"" }

    @Test("nothing of the one who was there before is painted, with and without a network")
    func switching() async throws {
        let scene = try await WebViewScene(folder, hosts: ["app.test"]) { Self.site($0) }
        let proxy = scene.visitor.proxy
        func picture(_ name: String) -> String { "\(folder.path)/\(name).png" }
        func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: picture(name))) }
        func open(_ path: String, _ name: String) async throws -> VisitResult {
            try await scene.open("https://app.test/" + path, picture: picture(name), script: Self.answered)
        }
        /// Whether a visit shows one user's page and not a word of the other.
        func expectPage(of user: String, _ result: VisitResult, _ name: String) {
            #expect(result.finalURL == "https://app.test/" && result.title == "Page of \(user)", "\(name)")
            #expect(result.scriptResult == Self.whole(user), "\(name): \(result.scriptResult ?? "")")
            #expect(result.failedResources == [] && result.screenshot?.uniform == false, "\(name)")
        }
        for user in ["a", "b"] {
            proxy.account = user
            // The web view's own cookies go from hand to hand; the sign-in replaces the one before.
            let first = try await open("login?user=\(user)", user)
            expectPage(of: user, first, "\(user), online")
            // The second time all of it comes from the store.
            let count = scene.origin.requests.count
            expectPage(of: user, try await open("", user), "\(user), again")
            #expect(scene.origin.asked.dropFirst(count).filter { !$0.hasSuffix(".ico") } == [])
        }
        #expect(try bytes("a") != bytes("b"))
        proxy.connectivity = .disconnected
        expectPage(of: "b", try await open("", "b-off"), "b, offline")
        #expect(try bytes("b-off") == bytes("b"))
        // One of whom nothing is stored sees nothing of either.
        proxy.account = "c"
        let stranger = try await open("", "c")
        #expect(stranger.title == "You are offline" && stranger.mainStatus == 504)
        #expect(stranger.scriptResult?.contains(" of a") == false && stranger.scriptResult?.contains(" of b") == false)
        #expect(try bytes("c") != bytes("a") && bytes("c") != bytes("b"))
        // What is b's cookie in the web view does not make b of who is a here.
        proxy.account = "a"
        expectPage(of: "a", try await open("", "a-off"), "a, offline")
        #expect(try bytes("a-off") == bytes("a"))
        await scene.stop()
    }
}
