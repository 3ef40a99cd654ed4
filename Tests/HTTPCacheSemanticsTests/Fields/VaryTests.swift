import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9110 §12.5.5 Vary")
struct VaryTests {
    static let values: [Row<[String], Vary>] = [
        Row([], .none, "absent"),
        Row(["Vary:"], .none, "an empty list names nothing"),
        Row(["Vary: ,,"], .none, "§5.6.1.2: empty elements are ignored"),
        Row(["Vary: accept-encoding, accept-language"], .fields([.acceptEncoding, .acceptLanguage]), "the example"),
        Row(
            ["Vary: Accept-Language,Accept-Encoding"], .fields([.acceptEncoding, .acceptLanguage]),
            "order means nothing"),
        Row(["Vary: Cookie", "Vary: Accept"], .fields([.accept, .cookie]), "§5.3: several lines are one list"),
        Row(["Vary: Cookie, cookie, COOKIE"], .fields([.cookie]), "§5.1: field names are case-insensitive"),
        Row(["Vary: *"], .anything, "\"*\""),
        Row(["Vary: *, *"], .anything, "a list that contains \"*\""),
        Row(["Vary: Cookie, *"], .anything, "a list that contains \"*\""),
        Row(["Vary: , *"], .anything, "a list that contains \"*\""),
        Row(["Vary:", "Vary: *"], .anything, "a list that contains \"*\" in a later line"),
        Row(["Vary: Accept Encoding"], .anything, "no field-name: what it meant is unknown"),
        Row(["Vary: \"*\""], .anything, "no field-name: what it meant is unknown"),
        Row(["Vary: é"], .anything, "no field-name: what it meant is unknown"),
    ]

    @Test("Vary is nothing, a list of names, or everything", arguments: values)
    func parse(_ row: Row<[String], Vary>) {
        #expect(Vary(HTTPFields(lines: row.given)) == row.expected)
    }
}
