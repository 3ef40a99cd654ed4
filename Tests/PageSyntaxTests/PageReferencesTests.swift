import Testing

@testable import PageSyntax

@Suite("What a page refers to")
struct PageReferencesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var html: String
        /// Kind and URL.
        var found: [String]
        var testDescription: String { html }

        init(_ html: String, _ found: String...) { (self.html, self.found) = (html, found) }
    }

    /// - Returns: The references, and whether each URL stands where its range says.
    static func read(_ html: String) -> [PageReference] {
        let bytes = Array(html.utf8)
        var (reader, found) = (PageReferences(), [PageReference]())
        var cutter = Cutter(seed: UInt64(bytes.count))
        for piece in cutter.pieces(of: bytes, longest: 7) {
            reader.feed(Array(piece)) { reference, _ in found.append(reference) }
        }
        reader.finish { reference, _ in found.append(reference) }
        return found
    }

    @Test(
        "HTML §4: each attribute that loads, leads or names something",
        arguments: [
            Row("<script src=a.js></script>", "classicScript a.js"),
            Row("<script src=a.js type=Module></script>", "moduleScript a.js"),
            Row(
                "<script src=a.js type='text/javascript' integrity=sha256-x></script>", "classicScript a.js",
                "integrity sha256-x"),
            Row("<script src=a type=text/template></script>"),
            Row("<link rel=stylesheet href=' a.css '>", "style a.css"),
            Row("<link rel='Alternate StyleSheet' href=a.css>", "style a.css"),
            Row("<link rel=modulepreload href=a.js>", "modulePreload a.js"),
            Row("<link rel=preload as=image href=a imagesrcset='b 1x, c 2x'>", "preload a", "preload b", "preload c"),
            Row("<link rel='shortcut icon' href=a.ico><link rel=manifest href=m>", "icon a.ico", "webManifest m"),
            Row("<link rel=canonical href=/x><link href=y><link rel=preconnect href=z>"),
            Row("<img src=a srcset='b 1x,c' longdesc=d>", "image a", "image b", "image c"),
            Row("<image src=a>", "image a"),
            Row("<picture><source srcset=a><img src=b></picture>", "image a", "image b"),
            Row(
                "<video src=a poster=b><source src=c><source src=d type=audio/ogg><track src=e></video>",
                "video a", "image b", "video c", "audio d", "textTrack e"),
            Row("<iframe src=a srcdoc='<p>&quot;'></iframe>", "frame a", "inlineDocument <p>\""),
            Row("<object data=a></object><embed src=b>", "embedded a", "embedded b"),
            Row("<a href=a ping='b c'>x</a><area href=d>"),
            Row(
                "<form action=a><button formaction=b></button><input type=image src=c formaction=d></form>",
                "image c"),
            Row("<input src=a>"),
            Row(
                "<meta http-equiv=refresh content='5; url=a'><body background=a><q cite=b></q>", "refresh a", "image a"),
            // HTML §4.2.5.3.
            Row("<meta http-equiv=Refresh content=' 0.5 ,URL = \"a&amp;b\" c'>", "refresh a&b"),
            Row("<meta http-equiv=refresh content='0 a.html'>", "refresh a.html"),
            Row("<meta http-equiv=refresh content='0;urls'>", "refresh urls"),
            Row("<meta http-equiv=refresh content='.;u'>", "refresh u"),
            Row("<meta http-equiv=refresh content='0'><meta http-equiv=refresh content='0;'>"),
            Row("<meta http-equiv=refresh content='x;url=a'><meta http-equiv=refresh content='0x;url=a'>"),
            Row("<meta http-equiv=Content-Security-Policy content=' a b '>", "securityPolicy a b"),
            Row("<img src='a&amp;b=1&copy=2'>", "image a&b=1&copy=2"),
            Row("<iframe src=''><img src>"),
            Row("<img src=a src=b>", "image a"),
            Row("</a href=a><!-- <img src=a> --><textarea><img src=a></textarea>"),
            Row(
                "<svg><image href=a xlink:href=b /><use xlink:href='#c'/><a href=d></a><rect fill='url(#e)'/></svg>",
                "image a", "svg #c", "cssOther #e"),
            Row("<math href=a><mi href=b></mi></math>"),
        ])
    func attributes(_ row: Row) {
        let found = Self.read(row.html)
        #expect(found.map { "\($0.kind) \($0.url)" } == row.found)
        let bytes = Array(row.html.utf8)
        for reference in found where !bytes[reference.range].contains(0x26) {
            #expect(String(decoding: bytes[reference.range], as: UTF8.self) == reference.url)
        }
    }

    @Test(
        "style sheets and import maps within a page",
        arguments: [
            Row("<style>@import 'a'; b { c: url(d) }</style>", "styleImport a", "cssOther d"),
            Row("<p style='a:url(&quot;b&quot;)' style='c:url(d)'>", "cssOther b"),
            Row("<style>@font-face { src: url(a) }</style><style>b { c: url(d) }", "font a", "cssOther d"),
            Row("<svg><style>a { b: url(c) } <!-- x --> d { e: url(f) }</style></svg>", "cssOther c"),
            Row("<svg><style>a { b: url(c) } d { e: url(f&amp;g) }</style></svg>", "cssOther c"),
            Row("<script type=module>import 'a'</script><script src=x>import('a')</script>", "classicScript x"),
            Row("<script type=importmap>{\"imports\":{}}</script>", "importMap {\"imports\":{}}"),
            Row("<noscript><img src=a></noscript>"),
        ])
    func content(_ row: Row) {
        #expect(Self.read(row.html).map { "\($0.kind) \($0.url)" } == row.found)
    }

    @Test("HTML §4.12.3: what stands in a template is inert, but for declarative shadow roots")
    func template() {
        let html =
            "<template><img src=a><template shadowrootmode=open><img src=b></template></template><img src=c>"
            + "<template shadowrootmode=open><img src=d></template>"
        #expect(Self.read(html).map(\.isInert) == [true, true, false, false])
        let modes = ["Closed", "bogus", "''"].map { "<template shadowrootmode=\($0)><img src=a></template>" }.joined()
        #expect(Self.read(modes).map(\.isInert) == [false, true, true])
        // One in SVG is another element, which its end tag ends; and no depth is too deep.
        let foreign = "<template><svg><template></template><template/></svg><img src=a></template><img src=b>"
        #expect(Self.read(foreign).map(\.isInert) == [true, false])
        let deep = (String(repeating: "<template>", count: 100), String(repeating: "</template>", count: 99))
        #expect(
            Self.read(deep.0 + deep.1 + "<img src=a></template><img src=b>").map(\.isInert) == [true, false])
    }

    @Test("HTML §4.2.3: every base with an address is told, in its place")
    func base() {
        let page = Self.read(
            "<base target=x><base href=' /a/ '><img src=i><base href=/b/><template><base href=c></template>")
        #expect(page.map(\.url) == ["/a/", "i", "/b/", "c"])
        #expect(page.map(\.kind) == [.base, .image, .base, .base])
    }

    @Test("a URL within a style attribute stands behind the references before it")
    func mapped() throws {
        let html = "<p style='a:url(&quot;b&amp;c&quot;);d:url(e)'>"
        let found = Self.read(html)
        #expect(found.map(\.url) == ["b&c", "e"])
        let written = found.map { String(decoding: Array(html.utf8)[$0.range], as: UTF8.self) }
        #expect(written == ["b&amp;c", "e"])
        #expect(found.allSatisfy { $0.isInStyle })
    }

    @Test("nothing is let go that a reference may still be found in")
    func reported() {
        let html = "text<img src=abc><style>a{b:url(cde)}</style><script type=module>import('fgh')</script>"
        var (reader, held) = (PageReferences(), 0)
        for byte in html.utf8 {
            reader.feed([byte]) { reference, _ in #expect(reference.range.lowerBound >= held) }
            #expect(reader.reported >= held)
            held = reader.reported
        }
        #expect(held == html.utf8.count)
    }
}
