@testable import PageSyntax

/// A style sheet: its tokens, and what it refers to.
enum StyleSheetTarget: FuzzTarget {
    static let name = "style-sheet"
    static let shapes = [
        HostileShape("a"), HostileShape("\\"), HostileShape("\\a"), HostileShape("/*"), HostileShape("*", after: "/*"),
        HostileShape("\""), HostileShape("\\\"", after: "\""), HostileShape("url("), HostileShape(" ", after: "url("),
        HostileShape("\\)", after: "url("), HostileShape("\"", after: "url(a "), HostileShape("("), HostileShape("{"),
        HostileShape("}"), HostileShape("@import 'a';"), HostileShape("@"), HostileShape("1"), HostileShape("1e"),
        HostileShape("-"), HostileShape("<!-"), HostileShape(" "), HostileShape("image-set('a' 1x,"),
        HostileShape("\0"),
        HostileShape("@font-face{src:url(a)}"), HostileShape("url(a)", after: "@font-face{"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        try PagePieces.claimSame(input) { tokens($0, CSSTokenizer.defaultLimit) }
        // Where a token beyond the limit ends may depend on the pieces, by a few bytes.
        for pieces in PagePieces.cuts(of: input.bytes) { _ = tokens(pieces, 64) }
        try PagePieces.claimSame(input) { pieces in
            var (sheet, notes) = (CSSReferences(), PagePieces.Notes(pieces))
            for piece in pieces { sheet.feed(Array(piece)) { notes.add($0) } }
            sheet.finish { notes.add($0) }
            return notes.result
        }
        try checkRanges(input)
    }

    private static func tokens(_ pieces: [ArraySlice<UInt8>], _ limit: Int) -> [String] {
        var (tokenizer, notes) = (CSSTokenizer(limit: limit), PagePieces.Notes(pieces))
        let add = { (token: CSSToken) in notes.add("\(token.kind.rawValue)", token.range, token.value) }
        for piece in pieces { tokenizer.feed(Array(piece), add) }
        tokenizer.finish(add)
        return notes.result
    }

    private static func checkRanges(_ input: FuzzInput) throws(BrokenClaim) {
        var (tokenizer, end, isGapless) = (CSSTokenizer(), 0, true)
        let add = { (token: CSSToken) in
            isGapless = isGapless && token.range.lowerBound == end && !token.range.isEmpty
            end = token.range.upperBound
        }
        tokenizer.feed(input.bytes, add)
        tokenizer.finish(add)
        try claim(isGapless && end == input.bytes.count, "every byte is in one token", [end])
        var (sheet, found) = (CSSReferences(), [PageReference]())
        sheet.feed(input.bytes) { found.append($0) }
        sheet.finish { found.append($0) }
        for reference in found {
            let raw = input.bytes[reference.range]
            let url = String(decoding: raw, as: UTF8.self)
            let isPlain = !raw.contains { $0 == 0x5C || $0 == 0 }
            try claim(!isPlain || url.isSame(as: reference.url), "what is written is what it says", [reference, url])
        }
    }
}
