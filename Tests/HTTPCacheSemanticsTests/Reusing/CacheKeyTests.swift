import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §2: the cache key is the target URI, normalised as RFC 9110 §4.2.3 says")
struct CacheKeyTests {
    struct Target: Sendable, CustomStringConvertible {
        var scheme: String?
        var authority: String?
        var path: String?

        init(_ scheme: String?, _ authority: String?, _ path: String?) {
            (self.scheme, self.authority, self.path) = (scheme, authority, path)
        }

        var description: String { [scheme, authority, path].map { $0 ?? "–" }.joined(separator: " ") }
    }

    static func key(_ target: Target, partition: String = "") -> CacheKey? {
        let request = HTTPRequest(
            method: .get, scheme: target.scheme, authority: target.authority, path: target.path)
        return CacheKey(request, partition: partition)
    }

    static let keys: [Row<Target, String?>] = [
        Row(
            Target("http", "example.com:80", "/~smith/home.html"), "http://example.com/~smith/home.html",
            "§4.2.3, first of the equal URIs"),
        Row(
            Target("http", "EXAMPLE.com", "/~smith/home.html"), "http://example.com/~smith/home.html",
            "§4.2.3, like the second"),
        Row(
            Target("http", "EXAMPLE.com:", "/~smith/home.html"), "http://example.com/~smith/home.html",
            "§4.2.3, like the third"),
        Row(
            Target("HTTPS", "example.com:443", "/"), "https://example.com/",
            "§4.2.2 \"if the port … is empty or not given, TCP port 443\""),
        Row(Target("https", "example.com:80", "/"), "https://example.com:80/", "80 is http's default only"),
        Row(Target("http", "example.com:443", "/"), "http://example.com:443/", "443 is https's default only"),
        Row(Target("http", "example.com:8080", "/"), "http://example.com:8080/", "another port is another origin"),
        Row(
            Target("http", "[2001:DB8::80]", "/"), "http://[2001:db8::80]/",
            "RFC 3986 §3.2.2: colons in brackets are no port"),
        Row(Target("http", "[::1]:80", "/"), "http://[::1]/", "RFC 3986 §3.2.3"),
        Row(Target("https", "example.com", ""), "https://example.com/", "\"an empty path … is normally … '/'\""),
        Row(Target("https", "example.com", "?q"), "https://example.com/?q", "an empty path before a query"),
        Row(
            Target("https", "example.com", "/a#b"), "https://example.com/a",
            "§7.1 \"excludes … the fragment component\""),
        Row(
            Target("https", "example.com", "/a?b#c?d"), "https://example.com/a?b",
            "§7.1 \"excludes … the fragment component\""),
        Row(Target("https", "example.com", "/A"), "https://example.com/A", "a path is compared with case"),
        Row(Target("https", "example.com", "/a?B=C"), "https://example.com/a?B=C", "a query is compared with case"),
        Row(
            Target("https", "example.com", "/a?"), "https://example.com/a?",
            "RFC 3986 §6.2.3: an empty query is a query"),
        Row(Target("https", "example.com", "/%2fa%7e"), "https://example.com/%2fa%7e", "encoded octets are left alone"),
        Row(Target("https", "example.com", "/é"), "https://example.com/%C3%A9", "RFC 3987 §3.1"),
        Row(
            Target("https", "ban\u{212A}.example", "/"), "https://ban%E2%84%AA.example/",
            "case is ASCII's, RFC 3986 §6.2.2.1"),
        Row(Target(nil, "example.com", "/"), nil, "no scheme"),
        Row(Target("https", nil, "/"), nil, "no authority"),
        Row(Target("https", "example.com", nil), nil, "no path"),
        Row(Target("https", "", "/"), nil, "§4.2.2 \"MUST reject it as invalid\""),
        Row(Target("https", ":443", "/"), nil, "§4.2.2 \"MUST reject it as invalid\""),
    ]

    @Test("equivalent URIs have one key, and others another", arguments: keys)
    func key(_ row: Row<Target, String?>) {
        #expect(Self.key(row.given)?.uri == row.expected)
    }

    static let different: [Row<[String], Bool>] = [
        Row(["/caf\u{E9}", "/cafe\u{301}"], false, "URIs are octets, not what Unicode calls equivalent"),
        Row(["/a", "/a/"], false, "RFC 3986 §6.2.3: only an empty path has an equivalent"),
        Row(["/?a&b", "/?b&a"], false, "the order of a query may matter"),
        Row(["/%7Esmith", "/~smith"], false, "a rule may say so: some origins tell equivalent spellings apart"),
        Row(["/a%2Fb", "/a/b"], false, "RFC 3986 §2.2: a reserved character may have another meaning"),
    ]

    @Test("paths that an origin may tell apart have different keys", arguments: different)
    func checkDifferent(_ row: Row<[String], Bool>) throws {
        let keys = row.given.map { Self.key(Target("https", "example.com", $0)) }
        #expect((keys[0] == keys[1]) == row.expected)
    }

    @Test("a partition never meets another")
    func partitions() throws {
        let target = Target("https", "example.com", "/")
        #expect(Self.key(target) == Self.key(target, partition: ""))
        #expect(Self.key(target, partition: "a") != Self.key(target, partition: "b"))
        #expect(Self.key(target, partition: "a") != Self.key(target))
    }
}
