import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §5.2 Cache-Control, printed")
struct CacheControlPrintingTests {
    typealias Directive = CacheControl.Directive

    static let values: [Row<[Directive], String>] = [
        Row([], "", "#cache-directive may be empty"),
        Row([Directive(name: "no-store")], "no-store", "cache-directive = token"),
        Row(
            [Directive(name: "max-age", argument: "60"), Directive(name: "public")], "max-age=60, public",
            "§5.2.2.1 \"a sender MUST NOT generate the quoted-string form\""),
        Row(
            [Directive(name: "no-cache", argument: "set-cookie")], "no-cache=\"set-cookie\"",
            "§5.2.2.4 \"SHOULD NOT generate the token form\""),
        Row(
            [Directive(name: "private", argument: "x-id")], "private=\"x-id\"",
            "§5.2.2.7 \"SHOULD NOT generate the token form\""),
        Row([Directive(name: "community", argument: "UCI")], "community=UCI", "token \"=\" token"),
        Row([Directive(name: "a", argument: "")], "a=\"\"", "a token has one character at least"),
        Row([Directive(name: "a", argument: "b c")], "a=\"b c\"", "token \"=\" quoted-string"),
        Row([Directive(name: "a", argument: "\"\\")], "a=\"\\\"\\\\\"", "RFC 9110 §5.6.4: quoted-pair"),
        Row([Directive(name: "a", argument: "é")], "a=\"é\"", "RFC 9110 §5.6.4: obs-text"),
        Row(
            [Directive(name: "a", argument: "b\r\nX: y\u{0}\u{7F}")], "a=\"b  X: y  \"",
            "RFC 9110 §5.5: no control reaches a field"),
        Row([Directive(name: "a b"), Directive(name: "c"), Directive(name: "")], "c", "RFC 9110 §5.6.2: no token"),
        Row([Directive(name: "é"), Directive(name: "a\r\nX")], "", "RFC 9110 §5.6.2: no token"),
    ]

    @Test("directives are printed in the form that the standard prefers", arguments: values)
    func print(_ row: Row<[Directive], String>) {
        #expect(CacheControl(row.given).description == row.expected)
    }

    @Test("what is printed is read back, octet by octet", arguments: [1, 2, 3] as [UInt64])
    func roundTrip(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<1_000 {
            let control = CacheControl(
                generator.values(0...5) { generator in
                    let names = ["no-cache", "private", "max-age"]
                    let name = names.randomElement(using: &generator).flatMap { known in
                        generator.optional { _ in known }
                    }
                    let alphabet = Bool.random(using: &generator) ? Alphabets.token : Alphabets.quotable
                    return Directive(
                        name: name ?? generator.text(of: Alphabets.token, count: 1...6),
                        argument: generator.optional { $0.text(of: alphabet, count: 0...12) })
                })
            let read = CacheControl(lines: [control.description])
            #expect(read == control, "\(control)")
            let octets = control.directives.map { $0.argument.map { Array($0.utf8) } }
            #expect(read.directives.map { $0.argument.map { Array($0.utf8) } } == octets, "\(control)")
        }
    }
}
