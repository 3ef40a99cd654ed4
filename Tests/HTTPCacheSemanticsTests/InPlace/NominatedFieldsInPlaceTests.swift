import CacheTesting
import HTTPTypes
import Testing

@testable import HTTPCacheSemantics

@Suite("Nominated fields that are the same match as by the general code")
struct NominatedFieldsInPlaceTests {
    private static let names = ["accept-encoding", "Accept-Language", "accept", "cookie", "user-agent", "x`", "origin"]
    private static let pieces = [
        "gzip", "GZIP", "br", "en-GB", "en", ";q=0.9", ",", ",", ", ", " ,", " ", "\t", "\"", "\"a,b\"", "; ", ";",
        "a=1", "\u{E9}", "\u{FFFD}", "\u{301}", "\u{212A}", "\\", "\u{7F}",
    ]

    @Test("random requests", arguments: 1...8)
    func requests(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var matched = 0
        for _ in 0..<1_500 {
            let first = request(&random)
            let second = random.happens(onceIn: 2) ? first : request(&random)
            let vary = Vary([.vary: (0..<2).map { _ in random.pick(Self.names) }.joined(separator: ",")])
            let nominated = NominatedFields(first, vary: vary)
            compare(nominated, second)
            if nominated.match(second) { matched += 1 }
        }
        // Otherwise nothing was compared.
        #expect(matched > 100 && matched < 1_400)
    }

    @Test("the most names that are searched one by one, and one more", arguments: [8, 9])
    func count(_ count: Int) {
        let names = (0..<count).map { "x-\($0)" }
        let fields = HTTPFields(lines: names.map { $0 + ": 1" })
        let nominated = NominatedFields(fields, vary: Vary([.vary: names.joined(separator: ",")]))
        #expect(nominated.values.count == count)
        #expect(nominated.match(fields))
        #expect(!nominated.match(HTTPFields(fields.dropLast())))
    }

    private func request(_ random: inout SplitMix64) -> HTTPFields {
        var fields = HTTPFields()
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            guard let name = HTTPField.Name(random.pick(Self.names)) else { continue }
            var octets = Array(random.text(of: Self.pieces, upTo: 5).utf8)
            if random.happens(onceIn: 20) { octets.append(0xFF) }
            fields.append(
                random.happens(onceIn: 2)
                    ? HTTPField(name: name, lenientValue: octets) : HTTPField(name: name, value: octets))
        }
        return fields
    }

    private func compare(_ nominated: NominatedFields, _ presented: HTTPFields) {
        let expected = nominated.values.isEmpty || nominated.matchAny(presented)
        #expect(nominated.match(presented) == expected, "\(nominated.values) and \(presented)")
    }
}
