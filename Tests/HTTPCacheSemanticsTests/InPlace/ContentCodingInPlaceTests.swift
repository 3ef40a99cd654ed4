import CacheTesting
import HTTPTypes
import Testing

@testable import HTTPCacheSemantics

@Suite("A content coding is judged in place as by the general code")
struct ContentCodingInPlaceTests {
    private static let codings =
        ContentCoding.Negotiated.allCases.map(\.rawValue) + ["x-gzip", "x-compress", "GZIP", "X-Gzip", "identity"]
    private static let pieces = [
        ",", ",", ", ", " ", "\t", ";q=0", ";Q=0", "; q=0.0", ";q = 0.", ";q=0.5", ";q=1", ";q=00.", ";q", "*", "*;q=0",
        "x", "\"", ";", "=", "\u{E9}", "\u{301}", "\u{7F}", "\u{1}", "0", ".",
    ]

    @Test("random codings and offers", arguments: 1...8)
    func offers(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var decided = 0
        var accepted = 0
        for _ in 0..<2_000 {
            let coding = random.happens(onceIn: 4) ? text(&random, upTo: 2) : random.pick(Self.codings)
            let request = fields(.acceptEncoding, &random)
            compare([.contentEncoding: coding], request)
            if let isAcceptable = ContentCoding.isAcceptableInPlace(coding, to: request) {
                decided += 1
                if isAcceptable { accepted += 1 }
            }
        }
        // Otherwise nothing was compared.
        #expect(decided > 500 && accepted > 100 && decided - accepted > 100)
    }

    @Test("several lines", arguments: 1...4)
    func lines(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1_000 { compare(fields(.contentEncoding, &random), fields(.acceptEncoding, &random)) }
    }

    @Test("each coding, alone and refused", arguments: codings)
    func each(_ coding: String) {
        for offer in [coding, coding + ";q=0", "*", "*;q=0", coding + ";q=0, *", "*;q=0, " + coding, "none", ""] {
            compare([.contentEncoding: coding], [.acceptEncoding: offer])
        }
        compare([.contentEncoding: coding], [:])
    }

    private func text(_ random: inout SplitMix64, upTo count: Int) -> String {
        random.text(of: Self.codings + Self.pieces, upTo: count)
    }

    private func fields(_ name: HTTPField.Name, _ random: inout SplitMix64) -> HTTPFields {
        var fields = HTTPFields()
        let count = random.pick([0, 1, 1, 1, 1, 1, 1, 2])
        for _ in 0..<count {
            let value = text(&random, upTo: 7)
            fields.append(
                random.happens(onceIn: 4)
                    ? HTTPField(name: name, lenientValue: Array(value.utf8)) : HTTPField(name: name, value: value))
        }
        return fields
    }

    private func compare(_ response: HTTPFields, _ request: HTTPFields) {
        let expected = ContentCoding.areAcceptable(response[values: .contentEncoding], to: request)
        #expect(ContentCoding.isAcceptable(response, to: request) == expected, "\(response) for \(request)")
    }
}
