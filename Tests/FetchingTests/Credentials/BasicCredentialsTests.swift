import Testing

@testable import Fetching

@Suite("RFC 7617 The 'Basic' HTTP Authentication Scheme")
struct BasicCredentialsTests {
    @Test(
        "the field is user:password in UTF-8 and base64, §2 and §2.1",
        arguments: [
            ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("test", "123£", "Basic dGVzdDoxMjPCow=="),
            ("u", "p", "Basic dTpw"), ("us", "p", "Basic dXM6cA=="), ("", "", "Basic Og=="),
            ("u", "a:b", "Basic dTphOmI="),
        ])
    func field(_ user: String, _ password: String, _ value: String) {
        #expect(BasicCredentials(user: user, password: password)?.fieldValue == value)
    }

    @Test(
        "a colon in the user name, control characters and endless ones can't be sent, §2",
        arguments: [
            ("a:b", "c"), ("a\n", "c"), ("a", "\u{0}"), ("a", "\u{7F}"), ("a", "b\r\nX: y"),
            (String(repeating: "a", count: 4_000), String(repeating: "b", count: 4_000)),
        ])
    func refused(_ user: String, _ password: String) {
        #expect(BasicCredentials(user: user, password: password) == nil)
    }

    @Test(
        "of a URL they are percent-decoded, URL standard §4.2",
        arguments: [
            ("user:pass", "user", "pass"), ("user", "user", ""), ("user:", "user", ""), (":pass", "", "pass"),
            ("a%40b:c%3Ad", "a@b", "c:d"), ("a:b:c", "a", "b:c"), ("%C3%BC:%e2%82%ac", "ü", "€"),
            ("50%:%4", "50%", "%4"),
        ])
    func url(_ userinfo: String, _ user: String, _ password: String) {
        let credentials = BasicCredentials(userinfo: userinfo.utf8)
        #expect(credentials?.user == user && credentials?.password == password)
    }

    @Test("none in a URL, or none that can be sent", arguments: ["", ":", "a%3Ab:c", "%FF:a", "a:%0D%0A"])
    func none(_ userinfo: String) {
        #expect(BasicCredentials(userinfo: userinfo.utf8) == nil)
    }

    @Test("printing shows neither")
    func printing() throws {
        let credentials = try #require(BasicCredentials(user: "ursula", password: "secret"))
        var dumped = ""
        dump([credentials], to: &dumped)
        for text in ["\(credentials)", String(reflecting: [credentials]), dumped] {
            #expect(!text.contains("ursula") && !text.contains("secret"))
        }
    }

    @Test(
        "a URL's text without its user name and password",
        arguments: [
            ("https://u:p@h/a", "https://h/a", "u:p"), ("https://u@h:8443?a@b", "https://h:8443?a@b", "u"),
            ("https://h/a@b", "https://h/a@b", nil), ("https://h#a@b", "https://h#a@b", nil),
            ("https://a@b@h/", "https://h/", "a@b"), ("mailto:a@b.test", "mailto:a@b.test", nil), ("", "", nil),
        ] as [(String, String, String?)])
    func split(_ url: String, _ bare: String, _ userinfo: String?) {
        let (found, part) = URLUserinfo.split(url)
        #expect(found == bare && part.map(String.init) == userinfo)
    }

    @Test(
        "an address of a page is read with them, and no part of it shows them",
        arguments: [
            "https://u:p@page.test/a", "app-cache-https://u:p@page.test/a", "app-cache-https://%75:p@page.test/a",
        ])
    func address(_ text: String) throws {
        let url = try #require(WebURL(text))
        #expect(url.url == "https://page.test/a" && url.urlWithFragment == url.url)
        #expect(url.credentials == BasicCredentials(user: "u", password: "p"))
        #expect(!String(reflecting: url).contains("u:p"))
    }

    @Test(
        "an address that two rules read as different hosts is none, with them or without",
        arguments: [
            "app-cache-https://u\\@page.test/", "app-cache-https://a@b@page.test/",
            "app-cache-https://u:p@pa%67e.test/",
        ])
    func unclear(_ text: String) {
        #expect(WebURL(text) == nil)
    }
}
