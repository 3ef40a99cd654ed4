import CacheTesting
import Testing

@testable import HTTPCacheSemantics

@Suite("A date that is read or printed where it lies is the date that any reading of it gives")
struct HTTPDateInPlaceTests {
    private static let dates = [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Thu, 29 Feb 2024 23:59:60 GMT", "Mon, 29 Feb 2023 00:00:00 GMT",
        "Wed, 31 Dec 9999 23:59:59 GMT", "Sat, 01 Jan 0000 00:00:00 GMT", "Fri, 31 Apr 2026 24:00:00 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "tue, 01 JAN 2030 00:00:00 gmt",
        "Sun Nov  6 08:49:37 1994 GMT ", "Sun, 6 Nov 1994 08:49:37 GMT+1",
    ]
    private static let pieces = [
        "Sun", "Mon", "TUE", ",", ", ", " ", "06", "6", "31", "Nov", "feb", "1994", "2024", "-", ":", "08:49:37", "GMT",
        "\u{212A}", "\u{0}",
    ]

    @Test("usual dates, damaged", arguments: 1...8)
    func damaged(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var read = 0
        for _ in 0..<2_000 {
            let value = random.damaged(random.pick(Self.dates), upTo: 2)
            compare(value)
            if HTTPDate.parseFixdate(value) != nil { read += 1 }
        }
        // Else nothing was compared.
        #expect(read > 100)
    }

    @Test("every octet in every place of a date", arguments: 0..<29)
    func everyOctet(place: Int) {
        var bytes = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)
        for byte in UInt8.min...UInt8.max {
            bytes[place] = byte
            compare(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test("random texts, most of them too short", arguments: 1...4)
    func texts(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2_000 { compare(random.text(of: Self.pieces, upTo: 12)) }
    }

    @Test("printed dates of every year are those of any printing, and are read again", arguments: 1...4)
    func printing(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<1_000 {
            // From 1 December of the year -1 to 30 January of the year 10000.
            let moment = WallInstant(unixSeconds: .random(in: -62_169_897_600...253_404_892_800, using: &random))
            let text = HTTPDate.print(moment)
            let civil = CivilDate(unixSeconds: moment.unixSeconds)
            #expect(text == HTTPDate.printAny(civil))
            if (0...9_999).contains(civil.year) { #expect(HTTPDate.parse(text, now: .sample) == moment) }
        }
    }

    @Test("years without four digits", arguments: [-62_167_219_201, -62_167_219_200, 253_402_300_799, 253_402_300_800])
    func years(seconds: Int64) {
        let moment = WallInstant(unixSeconds: seconds)
        #expect(HTTPDate.print(moment) == HTTPDate.printAny(CivilDate(unixSeconds: seconds)))
    }

    private func compare(_ value: String) {
        #expect(
            HTTPDate.parse(value, now: .sample) == HTTPDate.parseAny(value, now: .sample), "\(value.debugDescription)")
    }
}
