import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §4.1 Calculating Cache Keys with the Vary Header Field")
struct NominatedFieldsTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        var vary: [HTTPField.Name]
        var original: [String]
        var presented: [String]
        var source: String

        init(_ vary: [HTTPField.Name], _ original: [String], _ presented: [String], _ source: String) {
            (self.vary, self.original, self.presented, self.source) = (vary, original, presented, source)
        }

        var testDescription: String { "\(original) and \(presented) under \(vary), as \(source)" }

        var doMatch: Bool {
            NominatedFields(HTTPFields(lines: original), vary: vary.isEmpty ? .none : .fields(vary))
                .match(HTTPFields(lines: presented))
        }
    }

    private static let dpr = HTTPField.Name("DPR") ?? .accept

    static let matching = [
        Pair([], ["Accept: a"], ["Accept: b"], "nothing is nominated"),
        Pair([.accept], ["Accept: a"], ["Accept: a"], "the same value"),
        Pair([.accept], [], [], "\"absent … can only match … if it is also absent there\""),
        Pair([.accept], ["Accept: a", "DPR: 1"], ["DPR: 2", "accept: a"], "other fields are not nominated"),
        Pair([.accept], ["Accept: a,b"], ["Accept: a , b"], "\"adding or removing whitespace, where allowed\""),
        Pair([.accept], ["Accept: a,b"], ["Accept: a,\t b"], "\"adding or removing whitespace, where allowed\""),
        Pair([.accept], ["Accept: a, b"], ["Accept: a", "Accept: b"], "\"combining multiple header field lines\""),
        Pair(
            [.accept], ["Accept: a", "Accept: b, c"], ["Accept: a, b", "Accept: c"], "\"combining multiple … lines\""),
        Pair([.accept], ["Accept: , a,,b ,"], ["Accept: a, b"], "RFC 9110 §5.6.1.2: empty elements are ignored"),
        Pair([dpr], ["DPR: 1", "DPR: 2"], ["DPR: 1, 2"], "RFC 9110 §5.3: combined with comma and space"),
        Pair([.cookie], ["Cookie: a=1; b=2"], ["Cookie: a=1", "Cookie: b=2"], "RFC 9113 §8.2.3"),
        Pair([.accept, .cookie], ["Cookie: a=1"], ["Cookie: a=1"], "one absent, one equal"),
    ]

    @Test("requests match that differ only as the section allows", arguments: matching)
    func checkMatching(_ pair: Pair) {
        #expect(pair.doMatch)
    }

    static let different = [
        Pair([.accept], ["Accept: a"], ["Accept: b"], "another value"),
        Pair([.accept], ["Accept: a"], [], "\"absent\" and present"),
        Pair([.accept], [], ["Accept: a"], "\"absent\" and present"),
        Pair([.accept], [], ["Accept:"], "an empty field is present"),
        Pair([.accept], ["Accept:"], [], "an empty field is present"),
        Pair([.accept], ["Accept: a, b"], ["Accept: b, a"], "order may mean something"),
        Pair([.accept], ["Accept: a"], ["Accept: A"], "case is not known to be insignificant"),
        Pair([.accept], ["Accept: a"], ["Accept: a, a"], "another list"),
        Pair(
            [.accept, .cookie], ["Accept: a", "Cookie: x=1"], ["Accept: a", "Cookie: x=2"], "every nominated field"),
        Pair([.accept], ["Accept: \"a,b\""], ["Accept: \"a, b\""], "space in a quoted-string is content"),
        Pair([.cookie], ["Cookie: x=a,b"], ["Cookie: x=a, b"], "a cookie's comma is content"),
        Pair([.cookie], ["Cookie: x=a,,b"], ["Cookie: x=a,b"], "a cookie's comma is content"),
        Pair([.userAgent], ["User-Agent: x (a,b)"], ["User-Agent: x (a, b)"], "a comment's comma is content"),
        Pair([.acceptLanguage], ["Accept-Language: \u{E9}"], ["Accept-Language: e\u{301}"], "values are octets"),
        Pair([.cookie], ["Cookie: n=jos\u{FFFD}"], ["Cookie: n=jos\u{FFFD}"], "lost octets equal nothing"),
    ]

    @Test("requests do not match that may mean different things", arguments: different)
    func checkDifferent(_ pair: Pair) {
        #expect(!pair.doMatch)
    }

    @Test("only nominated fields are kept, absent ones as absent")
    func kept() {
        let request = HTTPFields(lines: ["Accept: a,b", "Authorization: secret"])
        let nominated = NominatedFields(request, vary: .fields([.accept, .acceptLanguage]))
        #expect(nominated.values == ["accept": "a, b", "accept-language": nil])
        #expect(NominatedFields(request, vary: .none).values.isEmpty)
    }

    @Test("octets that are not UTF-8 in the message match nothing, not each other")
    func lostOctets() throws {
        var first = HTTPFields()
        first.append(HTTPField(name: .cookie, value: [0x61, 0x3D, 0xE8]))
        var second = HTTPFields()
        second.append(HTTPField(name: .cookie, value: [0x61, 0x3D, 0xE9]))
        #expect(!NominatedFields(first, vary: .fields([.cookie])).match(second))
    }
}
