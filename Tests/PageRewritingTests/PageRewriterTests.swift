import Testing

@testable import PageRewriting

@Suite("Turning the addresses of a page")
struct PageRewriterTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// With `+` where something is put in.
        var marked: String
        var testDescription: String { marked }
        init(_ marked: String) { self.marked = marked }
    }

    static func rewrite(
        _ source: String, _ kind: PageRewriter.Kind, longest: Int? = nil,
        _ change: (inout PageRewriter.Options) -> Void = { _ in }
    ) -> String {
        var options = PageRewriter.Options(hosts: NamedHosts(["a.test", "b.test:8443"]), host: "a.test")
        change(&options)
        var rewriter = PageRewriter(kind, options)
        let bytes = Array(source.utf8)
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: longest ?? max(1, bytes.count)) {
            output += rewriter.rewrite(Array(bytes[start..<min(bytes.count, start + (longest ?? bytes.count))]))
        }
        return String(decoding: output + rewriter.finish(), as: UTF8.self)
    }

    private func check(_ row: Row, _ kind: PageRewriter.Kind) {
        let source = row.marked.replacing("+", with: "")
        let expected = row.marked.replacing("+", with: "App-Cache-")
        for longest in [nil, 1, 7] {
            #expect(Self.rewrite(source, kind, longest: longest) == expected, "pieces of \(longest ?? 0)")
        }
    }

    @Test(
        "HTML §4: what a document loads is turned, and where it may go is not",
        arguments: [
            Row("<script src=\"+https://a.test/a.js\"></script>"),
            Row("<script type=module src='+https://b.test:8443/a.js'></script>"),
            Row("<link rel=stylesheet href=+https://a.test/a.css>"),
            Row("<link rel=preload as=image href=x imagesrcset='+https://a.test/a 1x, /b 2x'>"),
            Row("<link rel=canonical href=https://a.test/><link rel=preconnect href=https://a.test/>"),
            Row("<img src=+https://a.test/a srcset='+https://a.test/b 1x,+https://a.test/c 2x, https://c.test/d'>"),
            Row("<picture><source srcset=+https://a.test/a></picture>"),
            Row("<video src=+https://a.test/v poster=+https://a.test/p><track src=+https://a.test/t></video>"),
            Row("<object data=+https://a.test/o></object><embed src=+https://a.test/e>"),
            Row("<input type=image src=+https://a.test/i><body background=+https://a.test/b>"),
            Row("<table><tbody background=+https://a.test/b><tr background=+https://a.test/c>"),
            Row("<svg><use href=+https://a.test/s#x /><image xlink:href='+https://a.test/i' /></svg>"),
            Row("<svg><rect fill='url(+https://a.test/s#x)'/><a href=https://a.test/>a</a></svg>"),
            Row("<base href=+https://a.test/d/><template><img src=+https://a.test/></template>"),
            Row("<a href=https://a.test/ ping=https://a.test/>a</a><area href=https://a.test/>"),
            Row("<form action=https://a.test/><button formaction=https://a.test/></button></form>"),
            // The page is at a.test.
            Row("<iframe src=+https://a.test/></iframe><frameset><frame src=+https://a.test/f></frameset>"),
            Row("<iframe src=https://b.test:8443/></iframe><meta http-equiv=refresh content='0;url=+https://a.test/'>"),
            Row("<meta http-equiv=refresh content='0;url=https://b.test:8443/'>"),
            Row("<iframe srcdoc='&lt;img src=&quot;+https://a.test/&quot;&gt;<img src=+https://a.test/>'></iframe>"),
            Row("<p style=\"background: url('+https://a.test/a'), url(&quot;+https://a.test/b&quot;)\">"),
            Row("<style>@import '+https://a.test/a'; a { mask: url(+https://a.test/b) }</style>"),
            Row("<script type=module>import 'https://a.test/a'; import('https://a.test/b')</script>"),
            Row(
                #"<script type=importmap>{"imports":{"a":"+https:\/\/a.test\/","+https://a.test/b":"/c"}}</script>"#),
            Row("<!-- <img src=https://a.test/> --><p>https://a.test/</p><title>https://a.test/</title>"),
            Row("<p title=https://a.test/ data-src=https://a.test/><input src=https://a.test/>"),
        ])
    func document(_ row: Row) { check(row, .document) }

    @Test(
        "css-syntax-3: URLs of style sheets, however they are written",
        arguments: [
            Row("@import '+https://a.test/a';@import url(+https://a.test/b) print;"),
            Row("@font-face { src: url( +https://a.test/f ) format('woff2'), url(\"+https://a.test/g\") }"),
            Row(#"a { background: url(+\68 ttps://a.test/), image-set("+https://a.test/a" 1x) }"#),
            Row("@namespace x 'https://a.test/'; a::after { content: 'https://a.test/' } /* url(https://a.test/) */"),
        ])
    func styleSheet(_ row: Row) { check(row, .styleSheet) }

    @Test(
        "URL §4.4: where both schemes do not read an address alike, it stays",
        arguments: [
            "https://c.test/", "http://a.test/", "//a.test/", "https:/a.test/", "https:a.test/", "https://a.test:443/",
            "https://A.test/", "https://u@a.test/", "https://a.test.c.test/", "https://a.tes", "https://a.test\\b",
            "https://a.test/a\\b", "https://a.test/?a'b", "https://a%2etest/", "https://b.test/", "https://",
        ])
    func staying(_ address: String) {
        #expect(!NamedHosts(["a.test", "b.test:8443"]).contains(address))
    }

    @Test(
        "URL §4.4: where they do, it is turned",
        arguments: [
            "https://a.test", "HTTPS://a.test/", "https://a.test?q", "https://a.test#f", "https://a.test/a?b\\c#d'\\",
            "https://b.test:8443/", "https://a.test/ä",
        ])
    func turning(_ address: String) {
        let hosts = NamedHosts(["a.test", "b.test:8443"])
        #expect(hosts.contains(address))
        #expect(hosts.contains(address, isUTF8: false) == address.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test("a piece in which nothing changes goes on as it came, and at once")
    func untouched() {
        var rewriter = PageRewriter(.document, .init(hosts: NamedHosts(["a.test"])))
        let page = Array("<p>some text <b>and</b> more</p><img src=https://c.test/>".utf8)
        let output = rewriter.rewrite(page)
        let isSame = page.withUnsafeBufferPointer { page in
            output.withUnsafeBufferPointer { $0.baseAddress == page.baseAddress && $0.count == page.count }
        }
        #expect(isSame)
        #expect(rewriter.finish().isEmpty)
    }

    @Test(
        "no more than 4 KiB come before the first byte goes on", arguments: [PageRewriter.Kind.document, .styleSheet])
    func firstByte(_ kind: PageRewriter.Kind) {
        var rewriter = PageRewriter(kind, .init(hosts: NamedHosts(["a.test"])))
        let start = Array((kind == .document ? "<p title='" : "/*").utf8)
        #expect(rewriter.rewrite(start + [UInt8](repeating: 0x61, count: 4_096 - start.count)).isEmpty)
        #expect(rewriter.rewrite([0x61]) == [start[0]])
        let rest = Array("'*/ src=https://a.test/>".utf8)
        #expect(rewriter.rewrite(rest) + rewriter.finish() != [])
    }

    @Test("without media, players keep their addresses")
    func media() {
        let page = "<video src=https://a.test/v poster=https://a.test/p><source src=https://a.test/s></video>"
        let turned = Self.rewrite(page, .document) { $0.includesMedia = false }
        #expect(turned == page.replacing("poster=", with: "poster=App-Cache-"))
    }

    @Test("CSP3 §6.7: a policy with hashes keeps the text of scripts and styles, from the policy on")
    func hashes() {
        let rest = "<style>a{mask:url(https://a.test/)}</style><img src=\(NamedHosts.insertion)https://a.test/>"
        let policy = "<meta http-equiv=Content-Security-Policy content=\"style-src 'sha256-x'\">"
        let source = policy + rest.replacing(NamedHosts.insertion, with: "")
        #expect(Self.rewrite(source, .document) == policy + rest)
        let plain = source.replacing(policy, with: "")
        #expect(Self.rewrite(plain, .document) { $0.keepsInlineText = true } == rest)
    }

    @Test("SRI §3.3: what is named with a hash is told, with the base that it is relative to")
    func integrity() {
        var rewriter = PageRewriter(.document, .init(hosts: NamedHosts(["a.test"])))
        let page = """
            <link rel=stylesheet href=a.css integrity=sha256-x><base href=/b/><script src=https://a.test/c integrity=x></script>
            <script src=e></script>
            """
        for byte in page.utf8 { _ = rewriter.rewrite([byte]) }
        _ = rewriter.finish()
        let found = rewriter.takeHashedAddresses()
        #expect(found.map(\.address) == ["a.css", "https://a.test/c"])
        #expect(found.map(\.base) == [nil, "/b/"])
        #expect(rewriter.takeHashedAddresses().isEmpty)
    }

    /// A generator whose numbers are the same in every run.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 33
        }
    }

    private static let parts = [
        "<img src=https://a.test/x>", "<img srcset='https://a.test/x 1x, https://a.test/y 2x'>", "url(https://a.test/)",
        "@import 'https://a.test/';", "import 'https://a.test/';", "import('https://a.test/')",
        "<script type=importmap>{\"a\":\"https://a.test/\"}</script>",
        "<iframe srcdoc='&lt;img src=&quot;https://a.test/&quot;>'>",
        "<img src=", "<a href=", "\"", "'", " ", ">", "<", "/", "https://a.test/x", "https://b.test:8443", "&quot;",
        "&#104;ttps://a.test",
        "<style>", "</style>", "url(", ")", "@import ", "{", "}", ";", "/*", "*/", "<script type=module>",
        "<script type=importmap>",
        "</script>", "import(", "import ", "export*from", "`", "${", "\\", "<iframe srcdoc=", " style=", " srcset=",
        ", ", "<base href=",
        "<template>", "<svg>", "<use href=", "<!--", "-->", "<link rel=stylesheet href=", " integrity=x", "ä", "\u{0}",
        "\r\n", "1x",
    ]

    @Test("whatever the source and however it is cut, the output is the same, and without what was put in the source")
    func anyCuts() {
        var numbers = Numbers(state: 17)
        var turned = 0
        for round in 0..<600 {
            let source = Array(
                (0..<Int.random(in: 1...60, using: &numbers)).map { _ in
                    Self.parts.randomElement(using: &numbers) ?? ""
                }.joined().utf8)
            let kind: PageRewriter.Kind = round % 4 == 0 ? .styleSheet : .document
            let outputs = (0..<3).map { _ in
                var rewriter = PageRewriter(kind, .init(hosts: NamedHosts(["a.test", "b.test:8443"]), host: "a.test"))
                var (output, start) = ([UInt8](), 0)
                while start < source.count {
                    let end = min(source.count, start + Int.random(in: 1...40, using: &numbers))
                    output += rewriter.rewrite(Array(source[start..<end]))
                    start = end
                }
                return output + rewriter.finish()
            }
            #expect(outputs[1] == outputs[0] && outputs[2] == outputs[0], "\(String(decoding: source, as: UTF8.self))")
            let undone = String(decoding: outputs[0], as: UTF8.self).replacing(NamedHosts.insertion, with: "")
            #expect(Array(undone.utf8) == source)
            if outputs[0] != source { turned += 1 }
        }
        #expect(turned > 150)
    }
}
