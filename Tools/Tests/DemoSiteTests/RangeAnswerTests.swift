import Testing

@testable import DemoSite

@Suite("RFC 9110 §14 Range Requests")
struct RangeAnswerTests {
    struct Row: CustomStringConvertible, Sendable {
        var range: String?
        var ifRange: String?
        var length = 1_000
        var answer: RangeAnswer
        var section: String
        var description: String { "\(range ?? "no Range") If-Range: \(ifRange ?? "-") of \(length), \(section)" }
    }

    @Test(
        "the part of the representation that is sent",
        arguments: [
            Row(range: nil, answer: .whole, section: "§14.2"),
            Row(range: "bytes=0-499", answer: .part(0..<500), section: "§14.1.2 first 500 bytes"),
            Row(range: "bytes=500-999", answer: .part(500..<1_000), section: "§14.1.2 second 500 bytes"),
            Row(range: "bytes=-500", answer: .part(500..<1_000), section: "§14.1.2 final 500 bytes"),
            Row(range: "bytes=9500-", length: 10_000, answer: .part(9_500..<10_000), section: "§14.1.2"),
            Row(range: "bytes=0-", answer: .part(0..<1_000), section: "§14.1.2"),
            Row(range: "bytes=0-0", answer: .part(0..<1), section: "§14.1.2"),
            Row(range: "Bytes=0-0", answer: .part(0..<1), section: "§14.1 range units are case-insensitive"),
            Row(range: "bytes=900-5000", answer: .part(900..<1_000), section: "§14.1.2 last-pos beyond the end"),
            Row(range: "bytes=-5000", answer: .part(0..<1_000), section: "§14.1.2 suffix longer than all"),
            Row(range: "bytes=1000-", answer: .unsatisfiable, section: "§14.1.2 first-pos at the end"),
            Row(range: "bytes=-0", answer: .unsatisfiable, section: "§14.1.2 zero suffix"),
            Row(range: "bytes=0-", length: 0, answer: .unsatisfiable, section: "§14.1.2 empty representation"),
            Row(range: "bytes=500-499", answer: .whole, section: "§14.1.1 invalid: last below first"),
            Row(range: "bytes=-", answer: .whole, section: "§14.1.1 invalid"),
            Row(range: "bytes=a-b", answer: .whole, section: "§14.1.1 invalid"),
            Row(range: "bytes=+1-2", answer: .whole, section: "§14.1.1 invalid"),
            Row(range: "lines=1-2", answer: .whole, section: "§14.2 unknown unit is ignored"),
            Row(range: "bytes=0-1,4-5", answer: .whole, section: "§14.2 MAY ignore; we do for several"),
            Row(range: "bytes=0-1", ifRange: "\"tag\"", answer: .part(0..<2), section: "§13.1.5 strong match"),
            Row(range: "bytes=0-1", ifRange: "W/\"tag\"", answer: .whole, section: "§13.1.5 weak never matches"),
            Row(range: "bytes=0-1", ifRange: "\"old\"", answer: .whole, section: "§13.1.5"),
            Row(
                range: "bytes=0-1", ifRange: "Mon, 03 Mar 2025 09:00:00 GMT", answer: .part(0..<2),
                section: "§13.1.5 exact date"),
            Row(
                range: "bytes=0-1", ifRange: "Mon, 03 Mar 2025 09:00:01 GMT", answer: .whole,
                section: "§13.1.5 a later date is no match"),
        ])
    func answers(_ row: Row) {
        let answer = RangeAnswer(
            range: row.range, ifRange: row.ifRange, entityTag: "\"tag\"", lastModified: "Mon, 03 Mar 2025 09:00:00 GMT",
            length: row.length)
        #expect(answer == row.answer)
    }
}
