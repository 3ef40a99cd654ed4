import Testing

@testable import HTTPCacheSemantics

@Suite("The public suffix list")
struct PublicSuffixesTests {
    @Test(
        "registrable domains, by the algorithm of publicsuffix.org",
        arguments: [
            ("", nil), ("com", nil), ("example.com", "example.com"), ("a.b.example.com", "example.com"),
            // No name: an empty label.
            (".com", nil), (".example.com", nil), ("example..com", nil),
            // Not listed: the rule "*".
            ("unlisted", nil), ("shop.unlisted", "shop.unlisted"), ("a.b.shop.unlisted", "shop.unlisted"),
            // Rules of two and more labels.
            ("co.uk", nil), ("shop.co.uk", "shop.co.uk"), ("a.shop.co.uk", "shop.co.uk"), ("com.br", nil),
            ("co.com", nil), ("x.de", "x.de"), ("aichi.jp", nil), ("ama.aichi.jp", nil),
            ("shop.ama.aichi.jp", "shop.ama.aichi.jp"), ("k12.ak.us", nil), ("a.shop.k12.ak.us", "shop.k12.ak.us"),
            // Wildcards, and exceptions from them.
            ("ck", nil), ("shop.ck", nil), ("a.shop.ck", "a.shop.ck"), ("www.ck", "www.ck"), ("a.www.ck", "www.ck"),
            ("kobe.jp", nil), ("c.kobe.jp", nil), ("b.c.kobe.jp", "b.c.kobe.jp"), ("city.kobe.jp", "city.kobe.jp"),
            ("a.city.kobe.jp", "city.kobe.jp"),
            // Private rules.
            ("github.io", nil), ("a.github.io", "a.github.io"), ("b.a.github.io", "a.github.io"),
            ("github.com", "github.com"), ("s3.amazonaws.com", nil),
            // In punycode: 公司.cn and 食狮.公司.cn, and 中国.
            ("xn--55qx5d.cn", nil), ("xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
            ("www.xn--85x722f.xn--fiqs8s", "xn--85x722f.xn--fiqs8s"),
        ] as [(String, String?)])
    func registrableDomain(_ row: (host: String, domain: String?)) {
        #expect(PublicSuffixes.registrableDomain(row.host) == row.domain)
        #expect(PublicSuffixes.isPublicSuffix(row.host) == (row.domain == nil))
    }

    @Test(
        "registries sell names below these; owners answer for the names below the others",
        arguments: [
            ("com", true), ("co.uk", true), ("shop.ck", true), ("unlisted", true), ("github.io", false),
            ("s3.amazonaws.com", false), ("example.com", false), ("www.ck", false),
        ])
    func registrySuffixes(_ row: (domain: String, isOne: Bool)) {
        #expect(PublicSuffixes.isRegistrySuffix(row.domain) == row.isOne)
    }

    @Test("every name of the table is found in it, the first and the last as well")
    func table() {
        let text = PublicSuffixes.table.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        let entries = text.split { $0.isUppercase }
        #expect(entries.count > 9_000)
        for (entry, letter) in zip(entries, text.filter(\.isUppercase)) {
            let name = entry.split(separator: ".").reversed().joined(separator: ".")
            // Above a wildcard alone there may be no rule.
            if "BCEFHI".contains(letter) { #expect(PublicSuffixes.isPublicSuffix(name), "\(name)") }
            if letter == "J" { #expect(PublicSuffixes.registrableDomain("a." + name) == name) }
        }
    }
}
