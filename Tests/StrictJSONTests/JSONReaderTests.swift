import StrictJSON
import Testing

@Suite("JSON is read strictly by RFC 8259, within limits")
struct JSONReaderTests {
    private func code(
        _ bytes: some Sequence<UInt8>, sizeLimit: Int = 1_000, valueLimit: Int = 100
    ) -> JSONReader.Failure.Code? {
        do throws(JSONReader.Failure) {
            _ = try JSONReader.readUnique(Array(bytes), sizeLimit: sizeLimit, valueLimit: valueLimit)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "§4: a repeated key is refused, by its octets after escapes, at every depth and in large objects",
        arguments: [
            #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"[{"b":{"a":1,"a":1}}]"#, #"{"":1,"":1}"#,
            "{" + (0..<20).map { "\"k\($0)\":0" }.joined(separator: ",") + ",\"k3\":1}",
            "{" + (0..<20).map { "\"k\($0)\":0" }.joined(separator: ",") + ",\"k19\":1}",
        ])
    func repeated(_ text: String) { #expect(code(text.utf8) == .duplicateKey) }

    @Test("keys that are only canonically equivalent are different keys", arguments: [1, 20])
    func equivalent(_ others: Int) {
        let keys = (0..<others).map { "\"k\($0)\":0" }.joined(separator: ",")
        #expect(code("{\(keys),\"\u{E9}\":1,\"e\u{301}\":2}".utf8) == nil)
    }

    @Test("limits of octets, values and depth are exact")
    func limits() {
        #expect(code("[1,2]".utf8, sizeLimit: 5) == nil)
        #expect(code("[1,2]".utf8, sizeLimit: 4) == .tooLarge)
        #expect(code("[1,{\"a\":2}]".utf8, valueLimit: 4) == nil)
        #expect(code("[1,{\"a\":2}]".utf8, valueLimit: 3) == .tooManyValues)
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(code(nested(32).utf8) == nil)
        #expect(code(nested(33).utf8) == .tooDeep)
    }

    @Test(
        "§8.1: octets that are no UTF-8 are refused, wherever they are",
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x31, 0x80],
        ] as [[UInt8]])
    func unicode(_ bytes: [UInt8]) { #expect(code(bytes) == .notUnicode) }

    @Test(
        "other texts than JSON are refused",
        arguments: [
            "", " ", "{", "[1,]", "{\"a\":1,}", "01", "1.", "+1", "'a'", "nul", "\"\t\"", "\"\\x\"", "\"\\ud800\"",
            "1 2", "NaN",
        ])
    func syntax(_ text: String) { #expect(code(text.utf8) == .syntax) }

    @Test("what is printed is read as the same, on one line or compact")
    func printed() throws {
        let text = "{\"a\":[1,-2.5e3,null,true],\"b\":{\"c\":\"\\\"\\\\\\n\u{E9}\\u0001\"},\"d\":[],\"e\":{}}"
        let value = try JSONReader.readUnique(Array(text.utf8), sizeLimit: 1_000).value
        #expect(JSONPrinter.compact(value) == text)
        for again in [JSONPrinter.compact(value), JSONPrinter.line(value), JSONPrinter.print(value)] {
            let same = try JSONReader.readUnique(Array(again.utf8), sizeLimit: 1_000).value
            #expect(JSONPrinter.compact(same) == text)
        }
    }
}
