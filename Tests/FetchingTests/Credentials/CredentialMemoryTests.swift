import Testing

@testable import Fetching

@Suite("RFC 9110 §11.5, RFC 7617 §2.2 Protection spaces")
struct CredentialMemoryTests {
    private let memory = CredentialMemory()
    private let site = WebOrigin(url: "https://page.test/")
    private let own = ProtectionSpace.Owner(account: "", site: "")

    private func login(_ user: String) throws -> BasicCredentials {
        try #require(BasicCredentials(user: user, password: "p"))
    }

    private func space(
        _ realm: String, _ origin: String = "https://page.test/", of owner: ProtectionSpace.Owner? = nil
    ) -> ProtectionSpace {
        ProtectionSpace(owner: owner ?? own, origin: WebOrigin(url: origin), realm: realm)
    }

    private func user(_ path: String, _ owner: ProtectionSpace.Owner? = nil) -> String? {
        memory.credentials(for: site, path: path, owner ?? own)?.user
    }

    @Test(
        "paths at or below the folder of one that was challenged need no challenge, RFC 7617 §2.2",
        arguments: [
            ("/docs/index.html", "/docs/", true), ("/docs/index.html", "/docs/test.doc", true),
            ("/docs/index.html", "/docs/a/b?page=1", true), ("/docs/index.html", "/docs", false),
            ("/docs/index.html", "/other/", false), ("/docs/index.html", "/docsother", false),
            ("/docs/a?b=/c/d", "/docs/x", true), ("/", "/anything", true), ("/a", "/b", true),
        ])
    func folders(_ challenged: String, _ path: String, _ isKnown: Bool) throws {
        memory.remember(try login("u"), for: space("r"), path: challenged)
        #expect((user(path) != nil) == isKnown)
    }

    @Test("the deepest folder counts, and each realm has its own")
    func realms() throws {
        memory.remember(try login("outer"), for: space("a"), path: "/")
        memory.remember(try login("inner"), for: space("b"), path: "/in/x")
        #expect(user("/in/y") == "inner" && user("/out") == "outer")
        #expect(memory.credentials(for: space("a"))?.user == "outer")
        #expect(memory.credentials(for: space("c")) == nil)
    }

    @Test("another origin, account or site finds nothing")
    func others() throws {
        memory.remember(try login("u"), for: space("r"), path: "/")
        for other in ["http://page.test/", "https://page.test:8443/", "https://www.page.test/"] {
            #expect(memory.credentials(for: WebOrigin(url: other), path: "/", own) == nil)
            #expect(memory.credentials(for: space("r", other)) == nil)
        }
        #expect(user("/", .init(account: "b", site: "")) == nil)
        #expect(user("/", .init(account: "", site: "https://news.test")) == nil)
        memory.remember(try login("nobody"), for: space("r", "data:,"), path: "/")
        #expect(memory.credentials(for: .opaque, path: "/", own) == nil)
    }

    @Test("what was refused is forgotten; what has taken its place stays")
    func forgetting() throws {
        memory.remember(try login("old"), for: space("r"), path: "/")
        memory.remember(try login("new"), for: space("r"), path: "/")
        memory.forget(try login("old"), for: space("r"))
        #expect(user("/") == "new")
        memory.forget(try login("new"), for: space("r"))
        #expect(user("/") == nil)
    }

    @Test("an account's are removed with it, and nobody else's")
    func removing() throws {
        let other = ProtectionSpace.Owner(account: "b", site: "")
        for owner in [own, other] { memory.remember(try login("u"), for: space("r", of: owner), path: "/") }
        memory.removeAll(account: "b")
        #expect(user("/") != nil && user("/", other) == nil)
        memory.removeAll()
        #expect(user("/") == nil)
    }

    @Test("a site with realms and folders without number pushes out the oldest")
    func limits() throws {
        for number in 0..<200 {
            memory.remember(try login("u\(number)"), for: space("r\(number)"), path: "/\(number)/")
        }
        #expect(user("/0/") == nil && user("/199/") == "u199")
        for number in 0..<100 { memory.remember(try login("x"), for: space("x"), path: "/x\(number)/") }
        #expect(user("/x0/") == nil && user("/x99/") == "x" && user("/199/") == "u199")
    }
}
