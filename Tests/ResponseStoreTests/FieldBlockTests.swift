import CacheTesting
import HTTPTypes
import Testing

@testable import ResponseStore

@Suite("FieldBlock: header fields as bytes")
struct FieldBlockTests {
    @Test("the example of its documentation")
    func example() {
        let bytes = FieldBlock.write([.cacheControl: "max-age=60"] as HTTPFields)
        #expect(bytes == [13, 0] + Array("Cache-Control".utf8) + [10, 0, 0, 0] + Array("max-age=60".utf8))
        #expect(FieldBlock.write([:] as HTTPFields).isEmpty)
        #expect(FieldBlock.readFields([]) == HTTPFields())
    }

    @Test("written fields are read back", arguments: UInt64(0)..<40)
    func roundTrip(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let nameBytes = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789-_!#$%&'*+.^`|~".utf8)
        var fields = HTTPFields()
        for _ in 0..<Int.random(in: 0..<30, using: &random) {
            let name = (0..<Int.random(in: 1..<40, using: &random)).map { _ in
                nameBytes.randomElement(using: &random) ?? 0x61
            }
            // Visible bytes, spaces inside, and obs-text, which need not be UTF-8 (RFC 9110 §5.5).
            let value = (0..<Int.random(in: 0..<300, using: &random)).map { _ -> UInt8 in
                let byte = UInt8.random(in: 0x21...0xFF, using: &random)
                return byte == 0x7F ? 0x20 : byte
            }
            let fieldName = try #require(HTTPField.Name(String(decoding: name, as: UTF8.self)))
            fields.append(HTTPField(name: fieldName, value: value))
        }
        let read = try #require(FieldBlock.readFields(FieldBlock.write(fields)))
        #expect(read.map(\.name.rawName) == fields.map(\.name.rawName))
        #expect(read.map(Self.bytes) == fields.map(Self.bytes))
    }

    private static func bytes(_ field: HTTPField) -> [UInt8] {
        field.withUnsafeBytesOfValue { Array($0) }
    }

    @Test("pairs keep empty and non-ASCII texts")
    func pairs() {
        let long = String(repeating: "x", count: 70_000)
        let pairs = [(name: "", value: ""), (name: "é", value: "日本"), (name: "a", value: long)]
        let read = FieldBlock.read(FieldBlock.write(pairs))
        #expect(read?.map(\.name) == pairs.map(\.name))
        #expect(read?.map(\.value) == pairs.map(\.value))
    }

    @Test("a block that is truncated anywhere but between fields is invalid")
    func truncated() {
        let whole = FieldBlock.write([(name: "ab", value: "cd"), (name: "e", value: "")])
        let boundaries = [0, 10, whole.count]
        for count in 0...whole.count {
            #expect((FieldBlock.read(Array(whole.prefix(count))) != nil) == boundaries.contains(count), "\(count)")
        }
    }

    @Test("hostile bytes are refused or read, never a crash", arguments: UInt64(0)..<200)
    func hostile(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var bytes = FieldBlock.write([.cacheControl: "max-age=60", .eTag: "\"x\"", .contentType: "a/b"] as HTTPFields)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: .min ... .max, using: &random)
        }
        if let fields = FieldBlock.readFields(bytes) {
            #expect(fields.count <= bytes.count / 6)
            #expect(FieldBlock.readFields(FieldBlock.write(fields)) == fields)
        }
    }

    @Test(
        "lengths beyond the block and invalid names are refused",
        arguments: [
            [0xFF, 0xFF], [1, 0, 0x61, 0xFF, 0xFF, 0xFF, 0xFF], [1, 0, 0x61, 0xFF, 0xFF, 0xFF, 0x7F, 0x61],
            [0, 0, 0, 0, 0, 0], [1, 0, 0x20, 0, 0, 0, 0], [1, 0, 0x3A, 1, 0, 0, 0, 0x61],
        ] as [[UInt8]])
    func refused(_ bytes: [UInt8]) {
        #expect(FieldBlock.readFields(bytes) == nil)
    }

    @Test("a damaged block with more fields than HTTPFields takes is refused")
    func tooMany() {
        let field = FieldBlock.write([(name: "a", value: "")])
        let greatest = (0..<65_534).flatMap { _ in field }
        #expect(FieldBlock.readFields(greatest)?.count == 65_534)
        #expect(FieldBlock.readFields(greatest + field) == nil)
    }
}
