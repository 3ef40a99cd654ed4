import Foundation
import Testing

@testable import Dashboard

/// RFC 8259 §7: any character may be escaped, beyond U+FFFF as a surrogate pair.
@Suite("JSON that the tool prints")
struct JSONTextTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var json: String
        var testDescription: String { json }
    }

    @Test(
        "what nobody sees is escaped, all else stands as it is",
        arguments: [
            Row(text: "Käse 猫 🐈", json: "Käse 猫 🐈"), Row(text: "\u{1B}[31m", json: #"\u001b[31m"#),
            Row(text: "\u{7F}", json: #"\u007f"#), Row(text: "\u{9B}31m", json: #"\u009b31m"#),
            Row(text: "\u{85}", json: #"\u0085"#), Row(text: "\u{202E}", json: #"\u202e"#),
            Row(text: "\u{2066}\u{2069}", json: #"\u2066\u2069"#), Row(text: "\u{200F}\u{61C}", json: #"\u200f\u061c"#),
            Row(text: "\u{2028}\u{2029}", json: #"\u2028\u2029"#), Row(text: "\u{FEFF}", json: #"\ufeff"#),
            Row(text: "\u{E0001}\u{E0041}", json: #"\udb40\udc01\udb40\udc41"#),
            Row(text: "\u{FFFE}", json: #"\ufffe"#),
        ])
    func escaped(_ row: Row) throws {
        for isPretty in [false, true] {
            let json = try JSONText.encode([row.text], isPretty: isPretty)
            #expect(json.contains(#"""# + row.json + #"""#), "\(json)")
            #expect(try JSONDecoder().decode([String].self, from: Data(json.utf8)) == [row.text])
        }
    }
}
