import HTTPCacheSemantics
import Manifests
import Testing

@Suite("Times of manifests: RFC 3339 in UTC, to whole seconds")
struct UTCTimestampTests {
    @Test(
        "one spelling for each second",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-20T08:00:00Z", 1_795_161_600), ("2000-02-29T23:59:59Z", 951_868_799),
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] as [(String, Int64)])
    func times(_ text: String, _ seconds: Int64) {
        #expect(UTCTimestamp.parse(text) == WallInstant(unixSeconds: seconds))
        #expect(UTCTimestamp.text(WallInstant(unixSeconds: seconds)) == text)
    }

    @Test(
        "others are refused",
        arguments: [
            "", "2026-11-20", "2026-11-20 08:00:00Z", "2026-11-20t08:00:00z", "2026-11-20T08:00:00.0Z",
            "2026-11-20T08:00:00+00:00", "2026-11-20T08:00:00", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z", "2026-11-31T00:00:00Z", "2026-11-20T24:00:00Z", "2026-11-20T08:60:00Z",
            "2026-06-30T23:59:60Z", "+026-11-20T08:00:00Z", "2026-1 -20T08:00:00Z", "２026-11-20T08:00Z",
        ])
    func refused(_ text: String) { #expect(UTCTimestamp.parse(text) == nil) }
}
