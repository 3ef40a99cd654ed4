import HTTPCacheSemantics
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("RFC 3986 §5 and URL §4.4: the reference in Location")
struct URLReferenceTests {
    static let resolved: [FetchRow<String, String>] = [
        .init("g", "https://a.test/b/c/g#old", "RFC 3986 §5.4.1, and RFC 9110 §10.2.2: the fragment is inherited"),
        .init("g#new", "https://a.test/b/c/g#new", "RFC 9110 §10.2.2"),
        .init("g#", "https://a.test/b/c/g#", "an empty fragment is one"),
        .init("", "https://a.test/b/c/d?q#old", "RFC 3986 §5.4.1"), .init("?y", "https://a.test/b/c/d?y#old", "§5.4.1"),
        .init("../../../g", "https://a.test/g#old", "§5.4.2"),
        .init("/x/%2E%2e/y", "https://a.test/y#old", "URL §4.1: a double-dot segment"),
        .init("%2e/y", "https://a.test/b/c/y#old", "URL §4.1: a single-dot segment"),
        .init("//b.test/x", "https://b.test/x#old", "§5.4.1"),
        .init("///b.test/x", "https://b.test/x#old", "URL §4.4: special authority ignore slashes"),
        .init("/\\b.test/x", "https://b.test/x#old", "URL §4.4: relative slash"),
        .init("\\\\b.test\\x", "https://b.test/x#old", "URL §4.4"),
        .init("/x?\\y", "https://a.test/x?\\y#old", "a backslash in a query is none of that"),
        .init("https:g", "https://a.test/b/c/g#old", "URL §4.4: special relative or authority"),
        .init("https:/g", "https://a.test/g#old", "URL §4.4"),
        .init("https:x:y", "https://a.test/b/c/x:y#old", "a colon later is no scheme"),
        .init("http:b.test", "http://b.test/#old", "URL §4.4: another scheme has an authority"),
        .init("HTTPS://B.TEST:443", "https://b.test/#old", "normalised"),
        .init("  https://b.test/x\t", "https://b.test/x#old", "URL §4.4: white space at the ends"),
        .init("ht\ntps://b.t\re\tst/", "https://b.test/#old", "URL §4.4: tabs and line ends within"),
        .init("/a b\u{E9}\"<>", "https://a.test/a%20b%C3%A9%22%3C%3E#old", "URL §1.3: percent-encode sets"),
        .init("https://u:p@b.test/", "https://b.test/#old", "userinfo is not kept"),
        .init("https://u@p@b.test/", "https://b.test/#old", "the last @"),
        .init("https://b.test?x", "https://b.test/?x#old", "an empty path"),
    ]

    @Test("what a browser would go to", arguments: resolved)
    func resolves(_ row: FetchRow<String, String>) throws {
        guard case .web(let web) = URLReference.resolve(row.given, against: "https://a.test/b/c/d?q#old") else {
            Issue.record("not a web URL")
            return
        }
        #expect(web.urlWithFragment == row.expected)
    }

    static let others: [FetchRow<String, URLReference.Resolution>] = [
        .init("tel:+49-30-1", .other(scheme: "tel", url: "tel:+49-30-1"), "another scheme"),
        .init(
            "JavaScript:alert(1)", .other(scheme: "javascript", url: "JavaScript:alert(1)"), "URL §4.4: in lower case"),
        .init("java\nscript:1", .other(scheme: "javascript", url: "javascript:1"), "URL §4.4: line ends are removed"),
        .init(" \u{1}data:,x", .other(scheme: "data", url: "data:,x"), "URL §4.4: C0 controls in front"),
        .init("file:///etc", .other(scheme: "file", url: "file:///etc"), "another scheme"),
        .init("https://", .unusable(.noHost), "RFC 9110 §4.2.1"), .init("//", .unusable(.noHost), "RFC 9110 §4.2.1"),
        .init("https://:443/", .unusable(.noHost), "RFC 9110 §4.2.1"),
        .init("https://b.test:0x1bb/", .unusable(.noHost), "a port has digits"),
        .init("https://b.test:-1/", .unusable(.noHost), "a port has digits"),
        .init("https://b%2etest/", .unusable(.hostNotCanonical), "URL §3.5"),
        .init("https://b\u{FC}.test/", .unusable(.hostNotCanonical), "IDNA is not done here"),
        .init("https://0177.0.0.1/", .unusable(.hostNotCanonical), "URL §3.5: octal"),
        .init("https://2130706433/", .unusable(.hostNotCanonical), "URL §3.5: one number"),
        .init("https://127.0.0.1./", .unusable(.hostNotCanonical), "URL §3.5"),
        .init("https://[::1", .unusable(.noHost), "no end of the address"),
        .init("https://a b.test/", .unusable(.hostNotCanonical), "a space in a host"),
    ]

    @Test("what is no web URL", arguments: others)
    func refuses(_ row: FetchRow<String, URLReference.Resolution>) {
        #expect(URLReference.resolve(row.given, against: "https://a.test/") == row.expected)
    }

    @Test(
        "a user name or password is noticed",
        arguments: [
            FetchRow("https://u@b.test/", true, "Fetch: includes credentials"),
            FetchRow("//:p@b.test/", true, "a password"),
            FetchRow("https://@b.test/", false, "empty ones are none"),
            FetchRow("https://:@b.test/", false, "the same"),
            FetchRow("/x@y:z", false, "an @ in a path"), FetchRow("https://b.test/?u@x", false, "an @ in a query"),
        ])
    func credentials(_ row: FetchRow<String, Bool>) {
        guard case .web(let web) = URLReference.resolve(row.given, against: "https://a.test/") else {
            Issue.record("not a web URL")
            return
        }
        #expect(web.hasCredentials == row.expected)
    }

    @Test("long references are refused, and short of the limit read in one go")
    func long() {
        let million = String(repeating: "/..", count: 350_000)
        #expect(URLReference.resolve(million, against: "https://a.test/") == .unusable(.tooLong))
        let dots = String(repeating: "/..", count: 20_000)
        guard case .web(let web) = URLReference.resolve(dots, against: "https://a.test/") else {
            Issue.record("not a web URL")
            return
        }
        #expect(web.url == "https://a.test/")
        let ats = "https://" + String(repeating: "@", count: 60_000) + "b.test/"
        guard case .web(let other) = URLReference.resolve(ats, against: nil) else {
            Issue.record("not a web URL")
            return
        }
        #expect(other.url == "https://b.test/")
        #expect(URLReference.resolve("/x", against: nil) == .unusable(.noBase))
        #expect(URLReference.resolve("/x", against: "data:,") == .unusable(.noBase))
    }

    @Test(
        "what RFC 3986 forbids after the host is percent-encoded, and the rest stays",
        arguments: [
            FetchRow("https://[::1]:1/a?f[x]=a%20b", "https://[::1]:1/a?f%5Bx%5D=a%20b", "§3.2.2: brackets of a host"),
            FetchRow("https://a.test?q=50%&r=%e4|", "https://a.test?q=50%25&r=%e4%7C", "§2.1: a % without two digits"),
            FetchRow("https://a.test/%2", "https://a.test/%252", "§2.1"),
            FetchRow("app-cache-https://a.test/{}^`\"#a#b", "app-cache-https://a.test/%7B%7D%5E%60%22#a#b", "§2.2"),
            FetchRow("https://a.test/\u{E9}~'()", "https://a.test/%C3%A9~'()", "RFC 3987 §3.1"),
            FetchRow("about:blank", "about:blank", "no authority"),
        ])
    func strict(_ row: FetchRow<String, String>) {
        #expect(TargetURI.strict(row.given) == row.expected)
        let (origin, rest) = TargetURI.splitAfterAuthority(row.given)
        #expect(origin + rest == row.given)
    }
}
