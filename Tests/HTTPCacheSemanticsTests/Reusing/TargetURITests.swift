import HTTPCacheSemantics
import Testing

@Suite("RFC 3986 §5 Reference Resolution")
struct TargetURITests {
    /// §5.4 with the scheme of its base, since only http and https are resolved.
    private static let base = "http://a/b/c/d;p?q"

    static let normal: [Row<String, String?>] = [
        Row("g:h", nil, "another scheme than http and https"),
        Row("g", "http://a/b/c/g", "§5.4.1"),
        Row("./g", "http://a/b/c/g", "§5.4.1"),
        Row("g/", "http://a/b/c/g/", "§5.4.1"),
        Row("/g", "http://a/g", "§5.4.1"),
        Row("//g", "http://g/", "§5.4.1, the empty path as \"/\""),
        Row("?y", "http://a/b/c/d;p?y", "§5.4.1"),
        Row("g?y", "http://a/b/c/g?y", "§5.4.1"),
        Row("#s", "http://a/b/c/d;p?q", "§5.4.1, without the fragment"),
        Row("g#s", "http://a/b/c/g", "§5.4.1, without the fragment"),
        Row("g?y#s", "http://a/b/c/g?y", "§5.4.1, without the fragment"),
        Row(";x", "http://a/b/c/;x", "§5.4.1"),
        Row("g;x", "http://a/b/c/g;x", "§5.4.1"),
        Row("g;x?y#s", "http://a/b/c/g;x?y", "§5.4.1, without the fragment"),
        Row("", "http://a/b/c/d;p?q", "§5.4.1"),
        Row(".", "http://a/b/c/", "§5.4.1"),
        Row("./", "http://a/b/c/", "§5.4.1"),
        Row("..", "http://a/b/", "§5.4.1"),
        Row("../", "http://a/b/", "§5.4.1"),
        Row("../g", "http://a/b/g", "§5.4.1"),
        Row("../..", "http://a/", "§5.4.1"),
        Row("../../", "http://a/", "§5.4.1"),
        Row("../../g", "http://a/g", "§5.4.1"),
    ]

    static let abnormal: [Row<String, String?>] = [
        Row("../../../g", "http://a/g", "§5.4.2"),
        Row("../../../../g", "http://a/g", "§5.4.2"),
        Row("/./g", "http://a/g", "§5.4.2"),
        Row("/../g", "http://a/g", "§5.4.2"),
        Row("g.", "http://a/b/c/g.", "§5.4.2"),
        Row(".g", "http://a/b/c/.g", "§5.4.2"),
        Row("g..", "http://a/b/c/g..", "§5.4.2"),
        Row("..g", "http://a/b/c/..g", "§5.4.2"),
        Row("./../g", "http://a/b/g", "§5.4.2"),
        Row("./g/.", "http://a/b/c/g/", "§5.4.2"),
        Row("g/./h", "http://a/b/c/g/h", "§5.4.2"),
        Row("g/../h", "http://a/b/c/h", "§5.4.2"),
        Row("g;x=1/./y", "http://a/b/c/g;x=1/y", "§5.4.2"),
        Row("g;x=1/../y", "http://a/b/c/y", "§5.4.2"),
        Row("g?y/./x", "http://a/b/c/g?y/./x", "§5.4.2"),
        Row("g?y/../x", "http://a/b/c/g?y/../x", "§5.4.2"),
        Row("g#s/./x", "http://a/b/c/g", "§5.4.2, without the fragment"),
        Row("g#s/../x", "http://a/b/c/g", "§5.4.2, without the fragment"),
        Row("http:g", nil, "§5.4.2 \"for strict parsers\", and then without a host"),
    ]

    static let further: [Row<String, String?>] = [
        Row("HTTP://A:80/../x", "http://a/x", "§6.2.2.1, §6.2.3"),
        Row("https://u:p@b:443/x", "https://b/x", "RFC 9110 §4.2.4: userinfo names no resource"),
        Row("//b:8080/x", "http://b:8080/x", "§5.2.2: the base's scheme"),
        Row("x:y", nil, "§4.2: a colon in the first segment makes a scheme"),
        Row("./x:y", "http://a/b/c/x:y", "§4.2 \"a dot-segment (e.g., \"./this:that\")\""),
        Row("?x:y", "http://a/b/c/d;p?x:y", "§3.1: a scheme has no question mark"),
        Row("/a//../b", "http://a/a/b", "§5.2.4: an empty segment is a segment"),
        Row("/a/b/..", "http://a/a/", "§5.2.4"),
        Row("ü", "http://a/b/c/%C3%BC", "RFC 3987 §3.1"),
        Row("/\u{301}x/../y", "http://a/y", "a combining mark does not hide the slash before it"),
        Row("//", nil, "RFC 9110 §4.2.1: no host"),
        Row("///x", nil, "RFC 9110 §4.2.1: no host"),
        Row("http://:80/", nil, "RFC 9110 §4.2.1: no host"),
        Row("http://@/", nil, "RFC 9110 §4.2.1: no host"),
        Row("http://b:/x", "http://b/x", "§6.2.3: an empty port is the default one"),
        Row("http://b::/x", nil, "§3.2.3: a port has digits only"),
        Row("http://b:65536/x", nil, "§3.2.3: TCP has no such port"),
        Row("http://b\"c/x", nil, "§3.2.2: no octet of a name"),
        Row("ftp://b/x", nil, "another scheme than http and https"),
        Row("javascript:alert(1)", nil, "another scheme than http and https"),
    ]

    @Test("references resolve like the standard's examples", arguments: normal + abnormal + further)
    func resolve(_ row: Row<String, String?>) {
        #expect(TargetURI.resolve(row.given, against: Self.base) == row.expected)
    }

    static let bases: [Row<[String], String?>] = [
        Row(["http://a", "g"], "http://a/g", "§5.2.3 \"has an authority component and an empty path\""),
        Row(["http://a?q", "g"], "http://a/g", "§5.2.3 \"has an authority component and an empty path\""),
        Row(["http://a/b?x/y", "g"], "http://a/g", "§5.2.3: the query is no part of the path"),
        Row(["http://a/b/../c", ""], "http://a/b/../c", "§5.2.2: the base's path as it is"),
        Row(["a/b", "g"], nil, "§5.1: a base has a scheme"),
        Row(["", ""], nil, "§5.1: a base has a scheme"),
    ]

    @Test("the base gives what the reference leaves out", arguments: bases)
    func checkBases(_ row: Row<[String], String?>) {
        #expect(TargetURI.resolve(row.given[1], against: row.given[0]) == row.expected)
    }

    static let splits: [Row<String, [String]?>] = [
        Row("https://example.com/a?b#c", ["https", "example.com", "/a?b"], "RFC 3986 §3"),
        Row("HTTP://Example.com:80", ["http", "Example.com:80", "/"], "RFC 3986 §3.1, §6.2.3"),
        Row("http://a?b", ["http", "a", "/?b"], "§3.2: a question mark ends the authority"),
        Row("http://u@h@b/", ["http", "b", "/"], "§3.2.1: userinfo ends at the last \"@\""),
        Row("http://[::1]:8080/x", ["http", "[::1]:8080", "/x"], "§3.2.2"),
        Row("://a/", nil, "§3.1: a scheme has a letter"),
        Row("1http://a/", nil, "§3.1: a scheme starts with a letter"),
        Row("ht tp://a/", nil, "§3.1: a scheme has no space"),
        Row("http:/a", nil, "no authority"),
        Row("/a", nil, "no scheme"),
        Row("", nil, "no scheme"),
        Row("é", nil, "no scheme"),
    ]

    @Test("a URI splits into scheme, authority and path with query", arguments: splits)
    func split(_ row: Row<String, [String]?>) {
        #expect(TargetURI.split(row.given).map { [$0.scheme, $0.authority, $0.path] } == row.expected)
    }

    static let origins: [Row<[String], Bool>] = [
        Row(["http://a/x", "http://A:80/y?z"], true, "RFC 9110 §4.3.1"),
        Row(["https://a/", "https://a:443"], true, "RFC 9110 §4.3.1"),
        Row(["http://a/", "https://a/"], false, "RFC 9110 §4.3.2: schemes are distinct namespaces"),
        Row(["http://a/", "http://a:8080/"], false, "RFC 9110 §4.3.1: the port"),
        Row(["http://a/", "http://b.a/"], false, "RFC 9110 §4.3.1: the host"),
        Row(["http://a@b/", "http://a/"], false, "userinfo is no host"),
        Row(["a", "a"], false, "no URI has no origin"),
    ]

    @Test("same scheme, host and port are the same origin", arguments: origins)
    func checkOrigins(_ row: Row<[String], Bool>) {
        #expect(TargetURI.haveSameOrigin(row.given[0], row.given[1]) == row.expected)
    }
}
