import CacheRules
import HTTPTypes
import Testing

@Suite("`/**` at the end of a path")
struct FolderGlobTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var glob: String
        var path: String
        var holds: Bool
        var testDescription: String { "\(glob) \(holds ? "holds" : "does not hold") for \(path)" }
    }

    @Test(
        "holds for the folder as well as for all below it",
        arguments: [
            Row(glob: "/account/**", path: "/account", holds: true),
            Row(glob: "/account/**", path: "/account?a=b", holds: true),
            Row(glob: "/account/**", path: "/account/", holds: true),
            Row(glob: "/account/**", path: "/account/a/b", holds: true),
            Row(glob: "/account/**", path: "/accounts", holds: false),
            Row(glob: "/account/**", path: "/accoun", holds: false),
            Row(glob: "/account/**", path: "/x/account", holds: false),
            Row(glob: "**/saml2/**", path: "/x/saml2", holds: true),
            Row(glob: "**/saml2/**", path: "/saml2", holds: true),
            Row(glob: "**/saml2/**", path: "/x/saml", holds: false),
            Row(glob: "**/saml2/**", path: "/x/saml2y", holds: false),
            Row(glob: "/*/orders/**", path: "/de/orders", holds: true),
            Row(glob: "/*/orders/**", path: "/de/orders/1", holds: true),
            Row(glob: "/*/orders/**", path: "/de/ordersx", holds: false),
            Row(glob: "/*/orders/**", path: "/de/x/orders", holds: false),
            Row(glob: "/a?/**", path: "/ab", holds: true), Row(glob: "/a?/**", path: "/a", holds: false),
            Row(glob: "/**", path: "/", holds: true), Row(glob: "/**", path: "/a", holds: true),
            Row(glob: "/account/*", path: "/account", holds: false),
            Row(glob: "/account\\/**", path: "/account", holds: true),
            Row(glob: "/account**", path: "/account", holds: true),
            Row(glob: "/{account,basket}/**", path: "/basket", holds: true),
            Row(glob: "/{account,basket}/**", path: "/baskets", holds: false),
        ])
    func folder(_ row: Row) {
        // Among others too, so that the prefilter is asked.
        let rules = RuleList([
            Rule("other", .bypass, when: .path("/other/**")), Rule("test", .neverStore, when: .path(row.glob)),
        ])
        let request = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: row.path)
        let decision = rules.decision(
            for: Exchange(request: request, destination: .unknown, connectivity: .connected))
        #expect((decision.rule == "test") == row.holds)
    }
}
