import Testing

@testable import PageSyntax

@Suite("Modules beside tree-sitter", .enabled(if: Expectations.areThere, "\(Expectations.advice)"))
struct ModuleDifferentialTests {
    @Test("random and real modules: every import up to where the lexer says that it stops")
    func imports() throws {
        let rows = try Expectations.rows("modules.jsonl")
        #expect(rows.count > 100)
        var stopped = 0
        for (number, row) in rows.enumerated() {
            let source = try #require(row["source"] as? String)
            let name = row["name"] as? String ?? ""
            let bytes = Array(source.utf8)
            var cutter = Cutter(seed: UInt64(number))
            let cuts = [[bytes[...]], cutter.pieces(of: bytes, longest: 1), cutter.pieces(of: bytes, longest: 9)]
            for pieces in bytes.count > 50_000 ? [cuts[0], cutter.pieces(of: bytes, longest: 900)] : cuts {
                let (ours, uncertain) = Self.read(pieces)
                let expected = (row["found"] as? [[Any]] ?? []).filter { found in
                    found[0] as? String != "computed" && (found[1] as? Int ?? 0) < uncertain ?? .max
                }
                if uncertain != nil, pieces.count == 1 {
                    stopped += 1
                }
                if Expectations.text(ours) != Expectations.text(expected) {
                    Issue.record(
                        """
                        \(name) in \(pieces.count) pieces, uncertain \(uncertain ?? -1): \
                        \(source.prefix(500).debugDescription)
                        ours   \(Expectations.text(ours).prefix(300))
                        theirs \(Expectations.text(expected).prefix(300))
                        """)
                    break
                }
            }
        }
        #expect(stopped * 50 < rows.count, "the lexer seldom stops: \(stopped) of \(rows.count)")
    }

    private static func read(_ pieces: [ArraySlice<UInt8>]) -> (found: [[Any]], uncertain: Int?) {
        var (lexer, found) = (ModuleLexer(), [[Any]]())
        func add(_ reference: PageReference) {
            let kind: String
            switch reference.kind {
            case .dynamicImport: kind = "dynamic"
            case .importMeta: kind = "meta"
            default: kind = "from"
            }
            found.append([kind, reference.range.lowerBound, reference.range.upperBound])
        }
        for piece in pieces { lexer.feed(piece, add) }
        lexer.finish(add)
        return (found, lexer.uncertain)
    }
}
