@testable import PageSyntax

/// An HTML document: its tokens, and what it refers to.
enum HTMLTarget: FuzzTarget {
    static let name = "html"
    static let shapes = [
        HostileShape("<"), HostileShape("<a"), HostileShape("<a>"), HostileShape(" a=b", after: "<a"),
        HostileShape("\"", after: "<a b="), HostileShape("a", after: "<"), HostileShape("</"), HostileShape("<!"),
        HostileShape("<!--"), HostileShape("-", after: "<!--"), HostileShape("--!", after: "<!--"),
        HostileShape("<!doctype "), HostileShape("<script><!--<script>"), HostileShape("<", after: "<script>"),
        HostileShape("</scrip", after: "<script>"), HostileShape("-", after: "<script><!--"),
        HostileShape("<svg>"), HostileShape("</p>", after: "<svg>"), HostileShape("<svg><foreignObject><p>"),
        HostileShape("]", after: "<svg><![CDATA["), HostileShape("<math><mi>"),
        HostileShape("<b>", after: "<svg><desc>"),
        HostileShape("&", after: "<a href='"), HostileShape("&#9", after: "<a href='"),
        HostileShape("&CounterClockwiseContourIntegra", after: "<a href='"), HostileShape("<template>"),
        HostileShape("a,", after: "<img srcset='"), HostileShape("url(a)", after: "<a style='"),
        HostileShape("<style>@import 'a';</style>"), HostileShape("<script type=importmap>{}</script>"),
        HostileShape("<script>a</script>"), HostileShape("<base href=a>"), HostileShape("\0"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        var small = HTMLTokenizer.Limits()
        (small.tagBytes, small.attributes) = (64, 3)
        for limits in [HTMLTokenizer.Limits(), small] {
            try PagePieces.claimSame(input) { tokens($0, limits) }
        }
        try PagePieces.claimSame(input) { references($0) }
        try checkRanges(input)
    }

    private static func tokens(_ pieces: [ArraySlice<UInt8>], _ limits: HTMLTokenizer.Limits) -> [String] {
        var (tokenizer, notes) = (HTMLTokenizer(limits: limits), PagePieces.Notes(pieces))
        var text: (kind: HTMLText.Kind, range: Range<Int>)?
        func endText() {
            if let text { notes.add("text", text.range, "\(text.kind.rawValue)") }
            text = nil
        }
        func add(_ token: HTMLToken) {
            if case .text(let part) = token {
                if let before = text, before.kind == part.kind, before.range.upperBound == part.range.lowerBound {
                    text?.range = before.range.lowerBound..<part.range.upperBound
                } else {
                    endText()
                    text = (part.kind, part.range)
                }
                return
            }
            endText()
            switch token {
            case .text: break
            case .startTag(let tag), .endTag(let tag):
                notes.add(tag.localName, tag.range, "\(tag.namespace.rawValue)")
                for attribute in tag.attributes {
                    notes.add(tag.name(of: attribute), tag.valueRange(of: attribute), tag.value(of: attribute))
                }
            case .comment(let range, let content): notes.add("comment", range, "\(content)")
            case .doctype(let range): notes.add("doctype", range, "")
            case .oversized(let range): notes.add("oversized", range, "")
            }
        }
        for piece in pieces { tokenizer.feed(Array(piece), add) }
        tokenizer.finish(add)
        endText()
        return notes.result
    }

    private static func references(_ pieces: [ArraySlice<UInt8>]) -> [String] {
        var (reader, notes) = (PageReferences(), PagePieces.Notes(pieces))
        for piece in pieces { reader.feed(Array(piece)) { reference, _ in notes.add(reference) } }
        reader.finish { reference, _ in notes.add(reference) }
        return notes.result
    }

    private static func checkRanges(_ input: FuzzInput) throws(BrokenClaim) {
        var reader = PageReferences()
        var found: [PageReference] = []
        var held = 0
        var isLate = false
        for piece in PagePieces.cuts(of: input.bytes)[2] {
            reader.feed(Array(piece)) { reference, _ in
                // What was let go before this piece can't be changed any more.
                if reference.range.lowerBound < held { isLate = true }
                found.append(reference)
            }
            isLate = isLate || reader.reported < held
            held = reader.reported
        }
        reader.finish { reference, _ in found.append(reference) }
        try claim(!isLate, "nothing is found in what was let go")
        for reference in found {
            try claim(
                reference.range.lowerBound >= 0 && reference.range.upperBound <= input.bytes.count, "within the source",
                [reference])
            let raw = input.bytes[reference.range]
            let isPlain = !raw.contains { [0x26, 0x5C, 0x0D, 0].contains($0) }
            if isPlain, reference.kind != .importMap {
                let url = String(decoding: raw, as: UTF8.self)
                try claim(url.isSame(as: reference.url), "what is written is what it says", [reference, url])
            }
        }
    }
}
