import CacheTesting
import HTTPTypes
import Testing

@testable import HTTPCacheSemantics

@Suite("One pass finds all lines of a field")
struct FieldLinesTests {
    private static let names: [HTTPField.Name] = [.age, .date, .eTag, .vary, .te, .cacheControl]

    @Test("random fields", arguments: 1...4)
    func random(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1_000 {
            var fields = HTTPFields()
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let name = random.pick(Self.names)
                let value = random.text(of: ["1", "2", ",", " ", "\u{E9}"], upTo: 3)
                fields.append(HTTPField(name: HTTPField.Name(name.rawName.uppercased()) ?? name, value: value))
            }
            for name in Self.names {
                #expect(fields.lines(name).all == fields[values: name])
                #expect(fields.combined(name) == fields[name])
                #expect(fields.firstLine(name) == fields[values: name].first)
            }
        }
    }

    @Test("an Age is that of its first member, whether it is read at once or as a list", arguments: 1...4)
    func age(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1_000 {
            var fields = HTTPFields()
            for _ in 0..<random.pick([0, 1, 1, 1, 2]) {
                let value = random.text(of: ["1", "60", "0", ",", " ", "\"", "-", "99999999999", "\u{E9}"], upTo: 4)
                fields.append(HTTPField(name: .age, lenientValue: Array(value.utf8)))
            }
            let response = StoredResponse(status: .ok, fields: fields, requestTime: .sample, responseTime: .sample)
            let first = ListField.members(fields[values: .age]).first
            let expected = first.flatMap { DeltaSeconds.parse($0) } ?? .zero
            #expect(response.currentAge(at: .sample) == expected, "\(fields)")
        }
    }
}
