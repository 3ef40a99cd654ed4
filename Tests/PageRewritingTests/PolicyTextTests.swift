import Testing

@testable import PageRewriting

@Suite("Policies of pages at another scheme")
struct PolicyTextTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var policy: String
        var turned: String
        var testDescription: String { policy }
        init(_ policy: String, _ turned: String) { (self.policy, self.turned) = (policy, turned) }
    }

    @Test(
        "CSP3 §6.7.2: each source gets the other scheme beside it",
        arguments: [
            Row("img-src https://b.test/x", "img-src https://b.test/x app-cache-https://b.test/x"),
            Row("default-src https:", "default-src https: app-cache-https:"),
            Row("script-src 'self'", "script-src 'self' https://a.test wss://a.test"),
            Row("font-src b.test:8443 *.c.test", "font-src b.test:8443 https://b.test:8443 *.c.test https://*.c.test"),
            Row("Img-Src HTTPS://b.test", "Img-Src HTTPS://b.test app-cache-HTTPS://b.test"),
            Row("img-src https://b.test:443/x", "img-src https://b.test:443/x app-cache-https://b.test/x"),
            Row(
                "img-src b.test:443 https://*:443",
                "img-src b.test:443 https://b.test:443 b.test https://*:443 app-cache-https://*"),
            Row("img-src data: http: wss:", "img-src data: http: app-cache-https: wss: app-cache-https:"),
            Row(
                "img-src http://b.test:80/x ws://b.test wss://b.test:443 http://b.test:8080",
                "img-src http://b.test:80/x app-cache-https://b.test/x ws://b.test app-cache-https://b.test "
                    + "wss://b.test:443 app-cache-https://b.test http://b.test:8080 app-cache-https://b.test:8080"),
            Row("form-action https://b.test;", "form-action https://b.test app-cache-https://b.test;"),
            Row(
                "img-src 'none'; script-src https://b.test, font-src https:",
                "img-src 'none'; script-src https://b.test app-cache-https://b.test, font-src https: app-cache-https:"),
            Row(
                "report-uri /r r https://b.test/r //c.test/r; report-to x",
                "report-uri https://a.test/r r https://b.test/r https://c.test/r; report-to x"),
        ])
    func turned(_ row: Row) {
        #expect(PolicyText(row.policy, host: "a.test").turned == row.turned)
    }

    @Test(
        "what allows nothing more at https is left as it is",
        arguments: [
            "img-src *", "img-src data: blob: ftp: mediastream:",
            "script-src 'none' 'unsafe-inline' 'nonce-x' 'strict-dynamic'",
            "script-src 'sha256-x'", "img-src ftp://b.test", "frame-ancestors https://b.test 'self'",
            "sandbox allow-scripts", "report-uri https://b.test/r", "upgrade-insecure-requests", "", ";;",
            "trusted-types a b", "require-trusted-types-for 'script'",
        ])
    func kept(_ policy: String) {
        #expect(PolicyText(policy, host: "a.test").turned == policy)
    }

    @Test("hashes are noticed, in directives for scripts and styles")
    func hashes() {
        #expect(PolicyText("script-src 'self' 'SHA384-x'", host: nil).hasHashes)
        #expect(!PolicyText("script-src 'nonce-sha256-x' 'self'", host: nil).hasHashes)
    }
}
