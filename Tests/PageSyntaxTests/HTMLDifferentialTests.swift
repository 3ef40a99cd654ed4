import Testing

@testable import PageSyntax

@Suite("HTML beside html5lib", .enabled(if: Expectations.areThere, "\(Expectations.advice)"))
struct HTMLDifferentialTests {
    @Test("the tests that readers of HTML share: every token, in one piece and in many")
    func shared() throws {
        try compare("html-shared.jsonl", followsTree: false)
    }

    @Test("random, mutated and real documents: every token of the tokenizer alone")
    func tokens() throws {
        try compare("html-tokens.jsonl", followsTree: false)
    }

    @Test("nested and real documents: every token that a parser asks for")
    func tree() throws {
        try compare("html-tree.jsonl", followsTree: true)
    }

    private func compare(_ file: String, followsTree: Bool) throws {
        let rows = try Expectations.rows(file)
        #expect(rows.count > 100)
        for (number, row) in rows.enumerated() {
            let source = try #require(row["source"] as? String)
            let tokens = try #require(row["tokens"] as? [[Any]])
            let bytes = Array(source.utf8)
            var tokenizer = HTMLTokenizer(followsTree: followsTree)
            tokenizer.begin(in: row["state"] as? String, end: row["end"] as? String ?? "")
            var cutter = Cutter(seed: UInt64(number))
            let cuts = [[bytes[...]], cutter.pieces(of: bytes, longest: 1), cutter.pieces(of: bytes, longest: 9)]
            for pieces in bytes.count > 50_000 ? [cuts[0], cutter.pieces(of: bytes, longest: 900)] : cuts {
                let list = TokenList.read(bytes, in: pieces, tokenizer)
                let (ours, theirs) = (Expectations.text(list.tokens), Expectations.text(tokens))
                #expect(list.complaints.isEmpty)
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
}

extension HTMLTokenizer {
    /// Begins within an element, as the shared tests do.
    mutating func begin(in state: String?, end: String) {
        let packed = PackedName(end)
        switch state {
        case "plaintext": readText(until: packed, .plaintext, .plaintext)
        case "rcdata": readText(until: packed, .rawText, .rcdata)
        case "rawText": readText(until: packed, .rawText, .rawText)
        case "script": readText(until: packed, .script, .script)
        case "cdata": readText(until: packed, .cdata, .cdata)
        default: break
        }
    }
}
