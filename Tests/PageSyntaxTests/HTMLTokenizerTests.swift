import Testing

@testable import PageSyntax

@Suite("The tokenizer of HTML")
struct HTMLTokenizerTests {
    private static func tokens(_ html: String, limits: HTMLTokenizer.Limits = .init(), longest: Int = 4) -> [String] {
        var (tokenizer, tokens) = (HTMLTokenizer(limits: limits), [String]())
        var text = ""
        func add(_ token: HTMLToken) {
            if case .text(let part) = token {
                text += String(decoding: part.bytes, as: UTF8.self)
                return
            }
            if !text.isEmpty { tokens.append(text) }
            text = ""
            switch token {
            case .text: break
            case .startTag(let tag): tokens.append("<\(tag.localName)>" + (tag.namespace == .html ? "" : " foreign"))
            case .endTag(let tag): tokens.append("</\(tag.localName)>")
            case .comment: tokens.append("<!---->")
            case .doctype(let range): tokens.append("doctype \(range.count)")
            case .oversized(let range): tokens.append("oversized \(range.count)")
            }
        }
        var cutter = Cutter(seed: 3)
        for piece in cutter.pieces(of: Array(html.utf8), longest: longest) { tokenizer.feed(Array(piece), add) }
        tokenizer.finish(add)
        return text.isEmpty ? tokens : tokens + [text]
    }

    @Test(
        "HTML §13.2.6: what tags make of what follows",
        arguments: [
            ("<script><!--<script></script>--></script>a", ["<script>", "<!--<script></script>-->", "</script>", "a"]),
            ("<style><a></STYLE >b", ["<style>", "<a>", "</style>", "b"]),
            ("<title></titl></title>", ["<title>", "</titl>", "</title>"]),
            (
                "<svg><style><a></style></svg>",
                ["<svg> foreign", "<style> foreign", "<a> foreign", "</style>", "</svg>"]
            ),
            (
                "<svg><title><style><a></style></title><g/></svg>",
                ["<svg> foreign", "<title> foreign", "<style>", "<a>", "</style>", "</title>", "<g> foreign", "</svg>"]
            ),
            ("<svg><p><style><a>", ["<svg> foreign", "<p>", "<style>", "<a>"]),
            ("<svg></p><style><a>", ["<svg> foreign", "</p>", "<style>", "<a>"]),
            (
                "<svg><font><g><font size=1><style><a>",
                ["<svg> foreign", "<font> foreign", "<g> foreign", "<font>", "<style>", "<a>"]
            ),
            ("<svg><![CDATA[<a>]]]></svg><![CDATA[<a>]]>", ["<svg> foreign", "<a>]", "</svg>", "<!---->", "]]>"]),
            (
                "<math><mi><p></p><mglyph></mglyph></mi><p>",
                ["<math> foreign", "<mi> foreign", "<p>", "</p>", "<mglyph> foreign", "</mglyph>", "</mi>", "<p>"]
            ),
            (
                "<math><annotation-xml encoding=Text/html><style><a></style></annotation-xml><style><a>",
                [
                    "<math> foreign", "<annotation-xml> foreign", "<style>", "<a>", "</style>", "</annotation-xml>",
                    "<style> foreign", "<a> foreign",
                ]
            ),
            ("<plaintext></plaintext>", ["<plaintext>", "</plaintext>"]),
            ("a</>b</ c>d<?e>f<", ["ab", "<!---->", "d", "<!---->", "f<"]),
            ("<a b", []),
        ])
    func tree(_ html: String, _ expected: [String]) {
        #expect(Self.tokens(html) == expected)
    }

    @Test("a tag beyond a limit is one token, and what it opens is read as it should be", arguments: [1, 30, 10_000])
    func oversized(_ longest: Int) {
        var limits = HTMLTokenizer.Limits()
        (limits.tagBytes, limits.attributes) = (100, 4)
        let long = String(repeating: "<>", count: 100)
        #expect(
            Self.tokens("<a><script b=\"\(long)\"><c></script><d>", limits: limits, longest: longest)
                == ["<a>", "oversized 213", "<c>", "</script>", "<d>"])
        #expect(
            Self.tokens("<style a b c d e><f></style>", limits: limits, longest: longest)
                == ["oversized 17", "<f>", "</style>"])
        #expect(
            Self.tokens("<!doctype \(long.replacing(">", with: ""))><a>", limits: limits, longest: longest)
                == ["doctype 111", "<a>"])
    }

    @Test("memory stays within the limit while an attribute never ends")
    func bounded() {
        var limits = HTMLTokenizer.Limits()
        limits.tagBytes = 1_000
        var tokenizer = HTMLTokenizer(limits: limits)
        let report: (HTMLToken) -> Void = { Issue.record("\($0)") }
        tokenizer.feed(Array("<a b='".utf8), report)
        for _ in 0..<100 {
            tokenizer.feed([UInt8](repeating: 0x78, count: 500), report)
            #expect(tokenizer.carry.count <= 1_000)
        }
        tokenizer.finish(report)
    }

    @Test("a copy goes on from where it was made")
    func value() {
        var first = HTMLTokenizer()
        first.feed(Array("<a b=".utf8)) { _ in }
        var second = first
        var names: [String] = []
        for (tokenizer, rest) in [(first, "c>"), (second, "'d'>")] {
            var tokenizer = tokenizer
            tokenizer.feed(Array(rest.utf8)) { token in
                if case .startTag(let tag) = token { names += tag.attributes.map { tag.value(of: $0) } }
            }
        }
        second.finish { _ in }
        #expect(names == ["c", "d"])
    }
}
