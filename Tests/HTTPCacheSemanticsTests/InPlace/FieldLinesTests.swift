import CacheTesting
import HTTPTypes
import Testing

@testable import HTTPCacheSemantics

@Suite("Lines of a field")
struct FieldLinesTests {
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
