import CacheTesting
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Preloading

@Suite("The format of seeds", .timeLimit(.minutes(5)))
struct SeedFormatTests {
    private static let digest = String(repeating: "0", count: 64)

    /// One file of an index, with changes.
    private static func file(_ changes: [String: String] = [:], without: String? = nil) -> String {
        var members = [
            "url": "\"https://a.test/a.js\"", "sha256": "\"\(digest)\"", "size": "3", "coding": "\"identity\"",
            "offset": "0", "length": "3", "as": "\"script\"", "group": "\"boot\"", "fields": "{}",
        ]
        members.merge(changes) { $1 }
        if let without { members[without] = nil }
        return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    private static func index(_ files: String, before: String = "") -> String {
        "{\"larderSeed\":1,\"id\":\"a\",\"built\":\"2023-11-14T21:13:20Z\",\(before)\"files\":[\(files)]}"
    }

    private static func code(_ bytes: [UInt8]) -> String? {
        do {
            _ = try Seed(SampleSeed.MemoryFile(bytes))
            return nil
        } catch {
            return error.message.isEmpty ? "no message" : "\(error.code)"
        }
    }

    @Test("what is written is read again, in a file as in memory")
    func written() throws {
        var sample = SampleSeed([("/a.js", "one"), ("/empty.js", ""), ("/b?c=d&e", "two \"\\")])
        sample.files[0].fields = [.cacheControl: "max-age=60", .eTag: "\"a\"", .contentType: "text/javascript"]
        sample.files[2].group = .lazy
        sample.manifest = (Array("head".utf8), Array("list".utf8))
        let seed = try sample.seed()
        #expect(seed.index == sample.index && seed.digest.utf8.count == 64)
        #expect(try #require(try seed.manifest()).head == Array("head".utf8))
        #expect(try seed.piece(of: seed.index.files[2].region, at: 0) == Array("two \"\\".utf8))
        #expect(try seed.piece(of: seed.index.files[1].region, at: 0).isEmpty)
        let directory = try TemporaryDirectory()
        try Data(try sample.bytes()).write(to: URL(fileURLWithPath: directory.path + "/a.seed"))
        #expect(try Seed(path: directory.path + "/a.seed").index == sample.index)
        let missing = #expect(throws: SeedError.self) { try Seed(path: directory.path + "/none") }
        #expect(missing?.code == .unreadable)
    }

    @Test("what is no regular file is refused at once: a FIFO has no end")
    func irregular() throws {
        let directory = try TemporaryDirectory()
        let fifo = directory.path + "/fifo"
        #expect(mkfifo(fifo, 0o600) == 0)
        for path in [fifo, directory.path, "/dev/null"] {
            let error = #expect(throws: SeedError.self) { try Seed(path: path) }
            #expect(error?.code == .unreadable)
        }
    }

    @Test(
        "an index that is not as described is refused by name",
        arguments: [
            ("malformed", "no object", "[]"),
            ("malformed", "cut off", "{\"larderSeed\":1"),
            ("malformed", "a repeated key", index("", before: "\"id\":\"b\",")),
            ("malformed", "nested too deep", String(repeating: "[", count: 40)),
            ("unsupported", "another version", "{\"larderSeed\":2}"),
            ("malformed", "no version", "{\"files\":[]}"),
            ("unsupported", "a key that has to be known", index("", before: "\"must-see\":1,")),
            ("unsupported", "the same in a file", index(file(["must-see": "1"]))),
            ("malformed", "no id", "{\"larderSeed\":1,\"built\":\"2023-11-14T21:13:20Z\",\"files\":[]}"),
            ("malformed", "no day", "{\"larderSeed\":1,\"id\":\"a\",\"built\":\"2023-02-30T21:13:20Z\",\"files\":[]}"),
            ("malformed", "no files", "{\"larderSeed\":1,\"id\":\"a\",\"built\":\"2023-11-14T21:13:20Z\"}"),
            ("duplicate-url", "twice", index(file() + "," + file(["offset": "3"]))),
            ("malformed", "a relative URL", index(file(["url": "\"a.js\""]))),
            ("malformed", "another scheme", index(file(["url": "\"file:///etc/passwd\""]))),
            ("malformed", "a host in capitals", index(file(["url": "\"https://A.test/\""]))),
            ("malformed", "a default port", index(file(["url": "\"https://a.test:443/\""]))),
            ("malformed", "dot segments", index(file(["url": "\"https://a.test/b/../c\""]))),
            ("malformed", "dot segments in other letters", index(file(["url": "\"https://a.test/b/%2e%2e/c\""]))),
            ("malformed", "a letter that is encoded", index(file(["url": "\"https://a.test/%61\""]))),
            ("malformed", "an encoded slash", index(file(["url": "\"https://a.test/b%2fc\""]))),
            ("malformed", "half an escape", index(file(["url": "\"https://a.test/%6\""]))),
            ("malformed", "the same in the query", index(file(["url": "\"https://a.test/?a=%6\""]))),
            ("malformed", "empty segments", index(file(["url": "\"https://a.test//b\""]))),
            ("malformed", "an address in other digits", index(file(["url": "\"https://0x7f.1/\""]))),
            ("malformed", "an address in one number", index(file(["url": "\"https://2130706433/\""]))),
            ("malformed", "an address with zeros", index(file(["url": "\"https://127.0.0.01/\""]))),
            ("malformed", "an escape in the host", index(file(["url": "\"https://%61.test/\""]))),
            ("malformed", "a port with zeros", index(file(["url": "\"https://a.test:0444/\""]))),
            ("malformed", "no port", index(file(["url": "\"https://a.test:/\""]))),
            ("malformed", "a user", index(file(["url": "\"https://b@a.test/\""]))),
            ("malformed", "a fragment", index(file(["url": "\"https://a.test/#b\""]))),
            ("malformed", "a backslash", index(file(["url": "\"https://a.test/\\\\b\""]))),
            ("malformed", "a line feed", index(file(["url": "\"https://a.test/\\n\""]))),
            ("malformed", "not ASCII", index(file(["url": "\"https://a.test/é\""]))),
            ("malformed", "a hash in capitals", index(file(["sha256": "\"\(digest.dropLast())A\""]))),
            ("malformed", "a short hash", index(file(["sha256": "\"00\""]))),
            ("malformed", "a negative size", index(file(["size": "-3"]))),
            ("malformed", "a size with a fraction", index(file(["size": "3.0"]))),
            ("malformed", "a size beyond 2^53", index(file(["size": "9007199254740992"]))),
            ("malformed", "another length than the size", index(file(["length": "2"]))),
            ("malformed", "a gap", index(file(["offset": "1"]))),
            ("malformed", "an overlap", index(file() + "," + file(["url": "\"https://a.test/b\"", "offset": "2"]))),
            (
                "malformed", "an end beyond 2^53",
                index(
                    file(["size": "9007199254740991", "length": "9007199254740991"]) + ","
                        + file(["url": "\"https://a.test/b\"", "offset": "9007199254740991"]))
            ),
            ("unsupported", "an unknown coding", index(file(["coding": "\"br\""]))),
            ("malformed", "no coding", index(file(without: "coding"))),
            ("malformed", "no fields", index(file(without: "fields"))),
            ("malformed", "a field in capitals", index(file(["fields": "{\"ETag\":\"a\"}"]))),
            ("malformed", "no field name", index(file(["fields": "{\":status\":\"404\"}"]))),
            ("malformed", "a field with a line feed", index(file(["fields": "{\"etag\":\"a\\r\\nx: y\"}"]))),
            ("malformed", "a field of the transfer", index(file(["fields": "{\"content-length\":\"5\"}"]))),
            ("malformed", "a coding as a field", index(file(["fields": "{\"content-encoding\":\"gzip\"}"]))),
            ("malformed", "cookies", index(file(["fields": "{\"set-cookie\":\"a=b\"}"]))),
            ("malformed", "an order to remove others", index(file(["fields": "{\"clear-site-data\":\"\\\"*\\\"\"}"]))),
            ("malformed", "a field that is no text", index(file(["fields": "{\"etag\":1}"]))),
            (
                "too-large", "a head of a manifest beyond 64 KiB",
                index(
                    "",
                    before:
                        "\"manifest\":{\"head\":{\"offset\":0,\"length\":65537},\"list\":{\"offset\":65537,\"length\":0}},"
                )
            ),
            (
                "too-large", "a list beyond 16 MiB",
                index(
                    "",
                    before:
                        "\"manifest\":{\"head\":{\"offset\":0,\"length\":0},\"list\":{\"offset\":0,\"length\":16777217}},"
                )
            ),
            (
                "malformed", "a manifest without a list",
                index("", before: "\"manifest\":{\"head\":{\"offset\":0,\"length\":0}},")
            ),
            ("truncated", "contents that are not there", index(file(["size": "4", "length": "4"]))),
            ("malformed", "more than its contents", index("")),
        ])
    func refused(_ code: String, _ why: String, _ index: String) throws {
        #expect(Self.code(try SampleSeed.bytes(index: index, contents: [1, 2, 3])) == code, "\(why)")
    }

    @Test("the smallest change that makes it good is accepted: the table refuses what it says it does")
    func accepted() throws {
        #expect(Self.code(try SampleSeed.bytes(index: Self.index(Self.file()), contents: [1, 2, 3])) == nil)
    }

    @Test("more files than allowed are refused before they are read")
    func many() throws {
        let files = Array(repeating: "0", count: SeedIndex.fileLimit + 1).joined(separator: ",")
        #expect(Self.code(try SampleSeed.bytes(index: Self.index(files))) == "too-many")
    }

    @Test("the first octets are checked before anything is read by them")
    func prologue() throws {
        let good = try SampleSeed([("/a.js", "one")]).bytes()
        func changed(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
            Array(good[..<offset]) + bytes + Array(good[(offset + bytes.count)...])
        }
        #expect(Self.code([]) == "not-a-seed")
        #expect(Self.code(Array("%PDF-1.7".utf8) + good) == "not-a-seed")
        #expect(Self.code(changed(8, [0, 0, 0, 2])) == "unsupported")
        #expect(Self.code(changed(12, [0xFF, 0xFF, 0xFF, 0xFF])) == "too-large")
        #expect(Self.code(changed(12, [0x01, 0xFF, 0xFF, 0xFF])) == "truncated")
        #expect(Self.code(changed(16, [good[16] ^ 1])) == "damaged")
    }

    @Test("a seed that is cut off is refused, wherever it ends")
    func cut() throws {
        var sample = SampleSeed([("/a.js", "one"), ("/b.js", "two")])
        sample.manifest = (Array("head".utf8), Array("list".utf8))
        let bytes = try sample.bytes()
        for length in 0..<bytes.count {
            let code = Self.code(Array(bytes.prefix(length)))
            #expect(code == (length == 0 ? "not-a-seed" : "truncated"), "\(length)")
        }
    }

    /// What says that it is longer than it is, or gives more than it is asked for.
    private final class LyingFile: SeedFile {
        let bytes: [UInt8]
        let isGenerous: Bool

        init(_ bytes: [UInt8], isGenerous: Bool) { (self.bytes, self.isGenerous) = (bytes, isGenerous) }

        var length: ByteCount { ByteCount(bytes.count) }

        func read(from offset: Int64, upTo count: Int) throws -> [UInt8] {
            if isGenerous { return bytes }
            return Array(bytes.dropLast().dropFirst(Int(offset)).prefix(count))
        }
    }

    @Test("a file that does not keep its word is refused", arguments: [true, false])
    func lying(_ isGenerous: Bool) async throws {
        let bytes = try SampleSeed([("/a.js", "one")]).bytes()
        let file = LyingFile(bytes, isGenerous: isGenerous)
        guard !isGenerous else {
            #expect(throws: SeedError.self) { try Seed(file) }
            return
        }
        // The last octet of the content is what is missing.
        let bench = try PreloadBench()
        let filling = bench.filling(try Seed(file))
        let error = await #expect(throws: SeedError.self) { try await filling.run() }
        #expect(error?.code == .truncated)
        #expect(try await bench.uris().isEmpty)
    }

    @Test("an index that a reader would refuse is not written")
    func unwritable() {
        var index = SampleSeed([("/a.js", "one")]).index
        index.files[0].url = "https://a.test/../b"
        #expect(throws: SeedError.self) { try index.prologue() }
        index.files = []
        index.built = WallInstant(unixSeconds: 1_700_000_000) + .milliseconds(5)
        #expect(throws: SeedError.self) { try index.prologue() }
    }
}
