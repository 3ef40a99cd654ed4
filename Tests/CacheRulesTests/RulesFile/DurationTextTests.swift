@testable import CacheRules
import Testing

@Suite("Durations as text")
struct DurationTextTests {
    @Test(
        "a text and its canonical form",
        arguments: [
            ("0s", Duration.zero, "0s"), ("0d", .zero, "0s"), ("90s", .seconds(90), "1m30s"),
            ("10m", .seconds(600), "10m"),
            ("7d", .seconds(604_800), "7d"), ("1w", .seconds(604_800), "7d"), ("1h30m", .seconds(5_400), "1h30m"),
            ("250ms", .milliseconds(250), "250ms"), ("1m1ms", .milliseconds(60_001), "1m1ms"),
            ("2147483648s", .seconds(2_147_483_648), "24855d3h14m8s"),
        ])
    func taken(_ text: String, _ duration: Duration, _ canonical: String) {
        #expect(DurationText.parse(text) == duration)
        #expect(DurationText.print(duration) == canonical)
        #expect(DurationText.parse(canonical) == duration)
    }

    @Test(
        "texts that are not durations",
        arguments: [
            "", "7", "d", "7 d", " 7d", "7D", "-1s", "1.5h", "1m1h", "1m1m", "1y", "1s1", "2147483649s",
            "99999999999999s", "9999999999999w", "1hm", "٧d",
        ])
    func refused(_ text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test("numbers are whole seconds", arguments: [("0", 0), ("90", 90), ("2147483648", 2_147_483_648)])
    func numbers(_ text: String, _ seconds: Int) {
        #expect(DurationText.parse(number: text) == .seconds(seconds))
    }

    @Test("other numbers are not durations", arguments: ["-1", "1.5", "1e3", "2147483649", "99999999999999999999"])
    func notNumbers(_ text: String) {
        #expect(DurationText.parse(number: text) == nil)
    }

    @Test("durations that no text can express are not printed")
    func notWritten() {
        #expect(DurationText.print(.seconds(-1)) == nil)
        #expect(DurationText.print(.microseconds(1)) == nil)
        #expect(DurationText.print(.seconds(2_147_483_649)) == nil)
    }

    @Test(
        "the nearest name",
        arguments: [
            ("hots", "host"), ("Host", "host"), ("path_prefix", "path-prefix"), ("pathprefx", "path-prefix"),
            ("regexp", "path"), ("contenttype", "content-type"), ("ayn", "any"),
        ])
    func nearest(_ name: String, _ known: String) {
        #expect(NearestName.of(name, among: ConditionKey.allCases.map(\.rawValue)) == known)
    }

    @Test("no name is near", arguments: ["", "x", "something", String(repeating: "host", count: 100)])
    func notNear(_ name: String) {
        #expect(NearestName.of(name, among: ["host", "query", "path-prefix"]) == nil)
    }

    @Test(
        "inserted, removed, changed, swapped with the neighbour",
        arguments: [("", "", 0), ("", "ab", 2), ("ab", "b", 1), ("ab", "ac", 1), ("ab", "ba", 1), ("abc", "cab", 2)])
    func distance(_ one: String, _ other: String, _ distance: Int) {
        #expect(NearestName.distance(Array(one.utf8), Array(other.utf8)) == distance)
    }
}
