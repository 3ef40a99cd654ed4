import CacheTesting
import Testing

@testable import HTTPCacheSemantics

@Suite("A URI is normalised in place as by the general code")
struct TargetURIInPlaceTests {
    private static let schemes = ["http", "https", "HTTPS", "ws", "wss", "ftp", "", "h\u{E9}", "\u{212A}", "blob"]
    private static let hosts = [
        "a.test", "A.test", "127.0.0.1", "[::1]", ":", ":80", ":443", ":8080", ":44", ":8443", "80", "443", "\u{E9}",
        "\u{301}", "\r\n", "k", "K", "\u{212A}", "user@", "",
    ]
    private static let paths = [
        "/", "/", "a", "A", "?", "q=1", "#", "%2f", "\u{E9}", "\u{301}", "//", "..", " ", "\u{0}", "\u{7F}", "*",
    ]

    @Test("random parts", arguments: 1...8)
    func parts(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2_000 {
            compare(
                random.pick(Self.schemes), random.text(of: Self.hosts, upTo: 3), random.text(of: Self.paths, upTo: 6))
        }
    }

    @Test("every scheme with every authority of two pieces", arguments: schemes)
    func authorities(scheme: String) {
        for host in Self.hosts {
            for port in Self.hosts { compare(scheme, host + port, "/a?b") }
        }
    }

    private func compare(_ scheme: String, _ authority: String, _ path: String) {
        let given = TargetURI.normalized(scheme: scheme, authority: authority, path: path)
        let expected = TargetURI.normalizedAny(scheme: scheme, authority: authority, path: path)
        #expect(given.utf8.elementsEqual(expected.utf8), "\([scheme, authority, path])")
    }
}
