import CacheRules
import HTTPTypes
import Testing

@Suite("When.pathPrefix")
struct PathPrefixTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var prefixes: [String]
        var path: String?
        var matches: Bool

        var testDescription: String { "\(path ?? "no path") \(matches ? "starts" : "does not start") with \(prefixes)" }
    }

    static let cases = [
        Case(prefixes: ["/a/"], path: "/a/", matches: true),
        Case(prefixes: ["/a/"], path: "/a/b/c?d", matches: true),
        Case(prefixes: ["/a/"], path: "/a", matches: false),
        Case(prefixes: ["/a/"], path: "/ab/", matches: false),
        Case(prefixes: ["/a/"], path: "/A/b", matches: false),
        Case(prefixes: ["/a/"], path: "/x/a/", matches: false),
        Case(prefixes: ["/a/", "/b/"], path: "/b/x", matches: true),
        Case(prefixes: ["/"], path: "/anything", matches: true),
        Case(prefixes: [], path: "/anything", matches: false),
        Case(prefixes: ["/a/"], path: "", matches: false),
        Case(prefixes: ["/a/"], path: nil, matches: false),
        Case(prefixes: ["/a"], path: "/a\u{301}/", matches: true),
        Case(prefixes: ["/caf\u{E9}/"], path: "/cafe\u{301}/", matches: false),
    ]

    @Test("paths compare octet by octet from their start", arguments: cases)
    func prefixes(_ row: Case) {
        let rule = Rule("rule", .bypass, when: .pathPrefix(row.prefixes))
        let request = HTTPRequest(method: .get, scheme: "https", authority: "example.org", path: row.path)
        let exchange = Exchange(request: request, destination: .unknown, connectivity: .connected)
        #expect(rule.verdict(for: exchange) == (row.matches ? .bypass : nil))
    }
}
