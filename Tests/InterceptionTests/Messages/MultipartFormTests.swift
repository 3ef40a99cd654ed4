import CacheTesting
import Testing

@testable import Interception

@Suite("HTML §4.10.21.8 multipart/form-data")
struct MultipartFormTests {
    /// A source that repeats one number, so that the boundary is known.
    private struct Same: RandomNumberGenerator {
        mutating func next() -> UInt64 { 0 }
    }

    private static let boundary = "----FormBoundary" + String(repeating: "A", count: 24)

    private func encode(_ entries: [(FormEntry, [String])]) -> String? {
        var random = Same()
        let form = MultipartForm.encode(
            entries.map { MultipartForm.Entry(entry: $0.0, chunks: $0.1.map { Array($0.utf8) }) }, random: &random)
        return form.map { String(decoding: $0.pieces.joined(), as: UTF8.self) }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var entry: FormEntry
        var chunks: [String] = []
        var header: String
        var content = ""
        var testDescription: String { header }
    }

    private static func file(_ name: String, _ type: String = "text/plain") -> FormEntry {
        FormEntry(name: "f", file: .init(name: name, contentType: type))
    }

    private static let fileHeader = "Content-Disposition: form-data; name=\"f\"; filename="

    @Test(
        "names, file names and types",
        arguments: [
            Row(
                entry: FormEntry(name: "a"), chunks: ["1"], header: "Content-Disposition: form-data; name=\"a\"",
                content: "1"),
            // "replacing any 0x22 (") bytes with %22, 0x0D with %0D, 0x0A with %0A"
            Row(entry: FormEntry(name: "a\"b"), header: "Content-Disposition: form-data; name=\"a%22b\""),
            // Names get CRLF first, file names do not.
            Row(entry: FormEntry(name: "a\nb"), header: "Content-Disposition: form-data; name=\"a%0D%0Ab\""),
            Row(entry: FormEntry(name: "a\r\nb"), header: "Content-Disposition: form-data; name=\"a%0D%0Ab\""),
            Row(
                entry: FormEntry(name: "x\"\r\n\r\nevil: 1"),
                header: "Content-Disposition: form-data; name=\"x%22%0D%0A%0D%0Aevil: 1\""),
            Row(entry: FormEntry(name: "ä%22"), header: "Content-Disposition: form-data; name=\"ä%22\""),
            Row(
                entry: file("a\n\"b\".txt"), header: "\(fileHeader)\"a%0A%22b%22.txt\"\r\nContent-Type: text/plain"),
            Row(entry: file("", ""), header: "\(fileHeader)\"\"\r\nContent-Type: application/octet-stream"),
            // A type with a line of its own.
            Row(
                entry: file("a", "text/plain\r\nevil: 1"),
                header: "\(fileHeader)\"a\"\r\nContent-Type: application/octet-stream"),
            // Values that are not files get CRLF, over chunks too; files stay as they are.
            Row(
                entry: FormEntry(name: "a"), chunks: ["1\r", "\n2\r3\n", "4\r"],
                header: "Content-Disposition: form-data; name=\"a\"", content: "1\r\n2\r\n3\r\n4\r\n"),
            Row(
                entry: file("a"), chunks: ["1\r", "\n2\r3\n"],
                header: "\(fileHeader)\"a\"\r\nContent-Type: text/plain", content: "1\r\n2\r3\n"),
        ])
    func entries(_ row: Row) {
        #expect(
            encode([(row.entry, row.chunks)])
                == "--\(Self.boundary)\r\n\(row.header)\r\n\r\n\(row.content)\r\n--\(Self.boundary)--\r\n")
    }

    @Test("no entries, and several")
    func several() {
        #expect(encode([]) == "--\(Self.boundary)--\r\n")
        let text = encode([(FormEntry(name: "a"), ["1"]), (FormEntry(name: "a"), ["2"])])
        #expect(text?.split(separator: "--\(Self.boundary)").count == 3)
    }

    @Test("a boundary that is in the content, in any split, is not used", arguments: [1, 5, 16, 39, 40, 100])
    func boundaryInContent(_ size: Int) {
        let hostile = Array("--\(Self.boundary)--\r\n".utf8)
        let chunks = stride(from: 0, to: hostile.count, by: size).map {
            String(decoding: hostile[$0..<min(hostile.count, $0 + size)], as: UTF8.self)
        }
        #expect(encode([(Self.file("a"), chunks)]) == nil, "this random source gives only this boundary")
        #expect(encode([(FormEntry(name: Self.boundary), [])]) == nil)

        var random = SplitMix64(seed: 1)
        let first = MultipartForm.encode([], random: &random)?.contentType?.split(separator: "=").last
        var again = SplitMix64(seed: 1)
        let entry = MultipartForm.Entry(entry: Self.file("a"), chunks: [Array((first ?? "").utf8)])
        let second = MultipartForm.encode([entry], random: &again)
        #expect(second != nil)
        #expect(second?.contentType?.hasSuffix(first ?? "") == false)
    }

    @Test("the search finds a text wherever it is, and agrees with a slow one")
    func search() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 1...5, using: &random)).map { _ in UInt8.random(in: 0...1, using: &random) }
            let bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in UInt8.random(in: 0...1, using: &random)
            }
            let isThere = bytes.indices.contains { bytes[$0...].starts(with: text) }
            var search = BoundarySearch(text)
            let cut = Int.random(in: 0...bytes.count, using: &random)
            let parts = [Array(bytes[..<cut]), Array(bytes[cut...])]
            #expect(parts.contains { search.finds(in: $0) } == isThere)
        }
    }
}
