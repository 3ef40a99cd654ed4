import CacheTesting
import HTTPTypes
import Testing

@testable import HTTPCacheSemantics

@Suite("A line of Cache-Control is read in place as by the general code")
struct CacheControlInPlaceTests {
    private static let pieces = [
        "max-age", "Max-Age", "no-cache", "NO-STORE", "public", "private", "stale-while-revalidate",
        "Stale-While-Revalidate", "proxy-revalidate", "proxy-revalidatf", "must-understand", "x", "=", "=", "=60",
        "=\"60\"", "=\"a, b\"", ",", ",", ", ", ", ", " ", "\t", "\"", "\\", ";", "=0", "'", "\u{E9}", "\u{301}",
        "\u{1FEF}", "\u{0}", "\r\n", "31536000", "\u{FFFD}", "K", "\u{212A}",
    ]

    @Test("random lines", arguments: 1...8)
    func lines(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var plain = 0
        for _ in 0..<2_000 {
            let line = random.text(of: Self.pieces, upTo: 9)
            compare(line)
            var directives = [CacheControl.Directive(name: "before")]
            if CacheControl.appendPlain(line, to: &directives) { plain += 1 } else { #expect(directives.count == 1) }
        }
        // Otherwise nothing was compared.
        #expect(plain > 100)
    }

    @Test("usual lines, damaged", arguments: 1...8)
    func damaged(seed: UInt64) {
        let usual = [
            "public, max-age=31536000, immutable", "no-cache, no-store, must-revalidate, max-age=0, private",
            "max-age=600, stale-while-revalidate=30, stale-if-error=86400", "s-maxage=1,proxy-revalidate",
            "private=\"set-cookie\", max-age=\"5\"",
        ]
        var random = SplitMix64(seed: seed)
        for _ in 0..<1_000 { compare(random.damaged(random.pick(usual), upTo: 3)) }
    }

    @Test("several lines are read one after another", arguments: 1...4)
    func severalLines(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let lines = (0..<Int.random(in: 0...3, using: &random)).map { _ in random.text(of: Self.pieces, upTo: 5) }
            var fields = HTTPFields()
            for line in lines {
                fields.append(HTTPField(name: .age, value: "1"))
                fields.append(HTTPField(name: .cacheControl, value: line))
            }
            var expected: [CacheControl.Directive] = []
            for line in fields[values: .cacheControl] { CacheControl.appendAny(line, to: &expected) }
            #expect(octets(CacheControl(fields).directives) == octets(expected), "\(lines)")
        }
    }

    private func compare(_ line: String) {
        var expected: [CacheControl.Directive] = []
        CacheControl.appendAny(line, to: &expected)
        #expect(octets(CacheControl(lines: [line]).directives) == octets(expected), "\(line.debugDescription)")
    }

    /// Octets, because `String` equates canonically equivalent texts.
    private func octets(_ directives: [CacheControl.Directive]) -> [[[UInt8]?]] {
        directives.map { [Array($0.name.utf8), $0.argument.map { Array($0.utf8) }] }
    }
}
