import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("RFC 9110 §11.6.1 WWW-Authenticate")
struct ChallengeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var rule: String
        var lines: [String]
        var challenges: [AuthenticationChallenge]

        init(_ rule: String, _ lines: String..., challenges: [AuthenticationChallenge]) {
            (self.rule, self.lines, self.challenges) = (rule, lines, challenges)
        }

        var testDescription: String { "\(rule): \(lines)" }
    }

    private static func basic(_ realm: String) -> AuthenticationChallenge { of("basic", ["realm": realm]) }

    private static func of(_ scheme: String, _ parameters: [String: String]) -> AuthenticationChallenge {
        AuthenticationChallenge(scheme: scheme, content: .parameters(parameters))
    }

    private static func of(_ scheme: String) -> AuthenticationChallenge {
        AuthenticationChallenge(scheme: scheme, content: .none)
    }

    private static func of(_ scheme: String, token68: String) -> AuthenticationChallenge {
        AuthenticationChallenge(scheme: scheme, content: .token68(token68))
    }

    private static let rows = [
        Row("RFC 7617 §2", "Basic realm=\"WallyWorld\"", challenges: [basic("WallyWorld")]),
        Row(
            "§11.6.1, its example",
            "Basic realm=\"simple\", Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\"",
            challenges: [
                basic("simple"), of("newauth", ["realm": "apps", "type": "1", "title": "Login to \"apps\""]),
            ]),
        Row(
            "§11.6.1 the same in several lines", "Newauth realm=\"apps\", type=1", "Basic realm=\"simple\"",
            challenges: [of("newauth", ["realm": "apps", "type": "1"]), basic("simple")]),
        Row(
            "RFC 7617 §2.1", "Basic realm=\"foo\", charset=\"UTF-8\"",
            challenges: [of("basic", ["realm": "foo", "charset": "UTF-8"])]),
        Row("§11.1 schemes are compared without case", "bAsIc REALM=x", challenges: [basic("x")]),
        Row("§11.2 BWS around =", "Basic realm = \"a\"\t", challenges: [basic("a")]),
        Row("§11.2 token68", "Negotiate YII==", challenges: [of("negotiate", token68: "YII==")]),
        Row(
            "§11.2 token68 between others", "NTLM TlRM/+=, Basic realm=a",
            challenges: [of("ntlm", token68: "TlRM/+="), basic("a")]),
        Row("§11.2 token68 may look like a name", "X realm=", challenges: [of("x", token68: "realm=")]),
        Row("§11.3 without parameters", "Negotiate", challenges: [of("negotiate")]),
        Row(
            "§11.6.1 a comma ends a challenge", "Negotiate, Basic realm=a, Digest qop=auth",
            challenges: [of("negotiate"), basic("a"), of("digest", ["qop": "auth"])]),
        Row(
            "§5.6.1.2 empty elements", ",, Basic , realm=a,, charset=b ,, Negotiate ,",
            challenges: [of("basic", ["realm": "a", "charset": "b"]), of("negotiate")]),
        Row("§5.6.4 quoted-pair", "Basic realm=\"a\\\\b\\ c\"", challenges: [basic("a\\b c")]),
        Row("§5.6.4 obs-text", "Basic realm=\"Grüße\"", challenges: [basic("Grüße")]),
        Row(
            "§5.6.4 a comma and a scheme in quotes", "Basic realm=\"a, Digest realm=b\"",
            challenges: [basic("a, Digest realm=b")]),
        Row("§5.6.4 an empty string", "Basic realm=\"\"", challenges: [basic("")]),
        Row(
            "§11.2 each parameter once per challenge", "Basic realm=a, realm=b, Basic realm=c", challenges: [basic("c")]
        ),
        Row("no challenge", "", challenges: []),
        Row("only commas", " , ,", challenges: []),
        // What breaks the grammar.
        Row("a string without end", "Basic realm=\"a", challenges: []),
        Row("a string that ends in a quoted-pair", "Basic realm=\"a\\", challenges: []),
        Row("something behind a string", "Basic realm=\"a\"b", challenges: []),
        Row("words without quotes", "Basic realm=My Site", challenges: []),
        Row("a parameter without a scheme", "realm=\"a\"", challenges: []),
        Row("no comma between", "Basic realm=\"a\" charset=\"b\"", challenges: []),
        Row("no value", "Basic realm=, charset=b", challenges: []),
        Row("a sign that is in no token", "Basic re@lm=a", challenges: []),
        Row("a semicolon", "Basic realm=a; charset=b", challenges: []),
        Row("one bad line hides no other", "Basic realm=\"a", "Basic realm=b", challenges: [basic("b")]),
    ]

    @Test("challenges are read as the grammar has them, and what breaks it says nothing", arguments: rows)
    func grammar(_ row: Row) {
        let fields = HTTPFields(row.lines.map { HTTPField(name: .wwwAuthenticate, value: $0) })
        #expect(AuthenticationChallenge.read(fields) == row.challenges)
    }

    @Test("a control character in a string breaks it, RFC 9110 §5.6.4", arguments: [0, 7, 10, 13, 27, 127] as [UInt8])
    func controls(_ octet: UInt8) {
        let line = "Basic realm=\"a" + String(UnicodeScalar(octet)) + "b\""
        var reader = ChallengeReader(line, limit: 8)
        #expect(reader.read() == nil)
    }

    @Test(
        "the realm of the first challenge for Basic that has one; no other scheme is answered",
        arguments: [
            (["Digest realm=\"d\", nonce=\"n\"", "Basic realm=\"b\""], "b"),
            (["Basic", "Basic abc", "Basic charset=UTF-8", "Basic realm=b"], "b"),
            (["Digest realm=\"d\", nonce=\"n\"", "Bearer realm=\"b\"", "Negotiate"], nil),
            ([], nil),
        ] as [([String], String?)])
    func realm(_ lines: [String], _ realm: String?) {
        let fields = HTTPFields(lines.map { HTTPField(name: .wwwAuthenticate, value: $0) })
        #expect(AuthenticationChallenge.basicRealm(fields) == realm)
    }

    @Test("of ten thousand challenges the first are read, in one field as in many; of a long line nothing")
    func many() {
        let short = Array(repeating: "a b", count: 4_000).joined(separator: ",")
        #expect(AuthenticationChallenge.read([.wwwAuthenticate: short]).count == AuthenticationChallenge.greatestCount)
        let lines = HTTPFields((0..<10_000).map { HTTPField(name: .wwwAuthenticate, value: "Basic realm=\"\($0)\"") })
        #expect(AuthenticationChallenge.read(lines).count == AuthenticationChallenge.greatestCount)
        #expect(AuthenticationChallenge.basicRealm(lines) == "0")
        let long = Array(repeating: "Basic realm=\"a\"", count: 10_000).joined(separator: ", ")
        #expect(AuthenticationChallenge.read([.wwwAuthenticate: long]).isEmpty)
    }
}
