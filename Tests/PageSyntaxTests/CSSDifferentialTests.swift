import Testing

@testable import PageSyntax

@Suite("CSS beside tinycss2", .enabled(if: Expectations.areThere, "\(Expectations.advice)"))
struct CSSDifferentialTests {
    @Test("random and real sheets: every token, in one piece and in many")
    func tokens() throws {
        let rows = try Expectations.rows("css.jsonl")
        #expect(rows.count > 100)
        for (number, row) in rows.enumerated() {
            let source = try #require(row["source"] as? String)
            let bytes = Array(source.utf8)
            var cutter = Cutter(seed: UInt64(number))
            let cuts = [[bytes[...]], cutter.pieces(of: bytes, longest: 1), cutter.pieces(of: bytes, longest: 9)]
            let theirs = Expectations.text(row["tokens"] ?? "")
            for pieces in bytes.count > 50_000 ? [cuts[0], cutter.pieces(of: bytes, longest: 900)] : cuts {
                let ours = Expectations.text(Self.canonical(pieces))
                if ours != theirs {
                    let parting = ours.commonPrefix(with: theirs).count
                    Issue.record(
                        """
                        \(row["name"] ?? "") in \(pieces.count) pieces: \(source.prefix(300).debugDescription)
                        ours   \(ours.dropFirst(max(0, parting - 40)).prefix(200))
                        theirs \(theirs.dropFirst(max(0, parting - 40)).prefix(200))
                        """)
                    break
                }
            }
        }
    }

    /// The form of the expectations: no comments, and nothing that closes a block.
    private static func canonical(_ pieces: [ArraySlice<UInt8>]) -> [[Any]] {
        var (tokenizer, tokens) = (CSSTokenizer(), [[Any]]())
        func add(_ token: CSSToken) {
            let text = String(decoding: token.bytes, as: UTF8.self)
            switch token.kind {
            case .comment: break
            case .whitespace: tokens.append(["space"])
            case .ident: tokens.append(["ident", token.value])
            case .function: tokens.append(["function", token.value])
            case .atKeyword: tokens.append(["at-keyword", token.value])
            case .hash: tokens.append(["hash", token.value])
            case .string: tokens.append(["string", token.value])
            case .url: tokens.append(["url", token.value])
            case .badString: tokens.append(["bad-string"])
            case .badURL: tokens.append(["bad-url"])
            case .number: tokens.append(["number", text])
            case .percentage: tokens.append(["percentage", String(text.dropLast())])
            case .dimension:
                let number = String(decoding: token.bytes.prefix(token.content.lowerBound), as: UTF8.self)
                tokens.append(["dimension", number, token.value])
            case .delimiter: if !")]}".contains(text) { tokens.append(["delim", text]) }
            case .cdo, .cdc: tokens.append(["delim", text])
            case .oversized: tokens.append(["oversized"])
            }
        }
        for piece in pieces { tokenizer.feed(Array(piece), add) }
        tokenizer.finish(add)
        return tokens
    }
}
