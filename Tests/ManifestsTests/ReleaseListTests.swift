import HTTPCacheSemantics
import Manifests
import Testing

@Suite("A list is used whole, or refused for its reason")
struct ReleaseListTests {
    private static let base = "https://static.example.com/shop/"
    private static let digest = BodyDigest(of: [7])

    private static func file(_ path: String) -> String {
        "{\"path\":\"\(path)\",\"sha256\":\"\(digest)\",\"size\":3,\"as\":\"script\"}"
    }

    private static func text(_ files: String...) -> String {
        "{\"larderList\":1,\"release\":\"11.4\",\"files\":[\(files.joined(separator: ","))]}"
    }

    private func refusal(_ text: String) -> ManifestRefusal.Code? {
        let bytes = Array(text.utf8)
        do throws(ManifestRefusal) {
            _ = try ReleaseList(accepting: bytes, named: .init(to: bytes), base: Self.base)
            return nil
        } catch {
            return error.code
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var code: ManifestRefusal.Code
        var text: String
        var testDescription: String { "\(code): \(text.prefix(100))" }

        init(_ code: ManifestRefusal.Code, _ text: String) { (self.code, self.text) = (code, text) }
    }

    @Test(
        "each reason",
        arguments: [
            Row(.listMalformed, ""), Row(.listMalformed, "[]"), Row(.listMalformed, text().dropLast() + ""),
            Row(.listMalformed, text() + "{}"),
            Row(.listMalformed, "{\"larderList\":1,\"release\":\"a\"}"),
            Row(.listMalformed, "{\"larderList\":1,\"files\":[]}"),
            Row(.listMalformed, "{\"larderList\":1,\"release\":\"a\",\"release\":\"a\",\"files\":[]}"),
            Row(.unsupported, "{\"larderList\":2,\"release\":\"a\",\"files\":[]}"),
            Row(.unsupported, "{\"larderList\":1,\"release\":\"a\",\"must-x\":1,\"files\":[]}"),
            Row(.listMalformed, text("{}")), Row(.listMalformed, text("\"a.js\"")),
            Row(.listMalformed, text(file("a").replacing("\"size\":3", with: "\"size\":3.0"))),
            Row(.listMalformed, text(file("a").replacing("\"size\":3", with: "\"size\":-3"))),
            Row(.listMalformed, text(file("a").replacing("\"size\":3,", with: ""))),
            Row(.listMalformed, text(file("a").replacing("\(digest)", with: "00"))),
            Row(.listMalformed, text(file("a").replacing("\"as\":\"script\"", with: "\"as\":1"))),
            Row(.listMalformed, text(file("a").replacing("\"as\"", with: "\"group\":\"a\\u0000b\",\"as\""))),
            Row(
                .listMalformed,
                text(file("a")).replacing(
                    "\"files\"", with: "\"pages\":[{\"match\":\"/a\",\"sideEffects\":1}],\"files\"")),
            Row(.duplicatePath, text(file("a.js"), file("b.js"), file("a.js"))),
            Row(.tooMany, text(file("a"), "[" + Array(repeating: "0", count: 1_000_000).joined(separator: ",") + "]")),
            Row(.tooMany, text(Array(repeating: "1", count: 50_001).joined(separator: ","))),
        ])
    func refused(_ row: Row) { #expect(refusal(row.text) == row.code) }

    @Test(
        "a path that some server, proxy or browser could read as another place is refused",
        arguments: [
            "/", "/a.js", "a//", "a//b", "//evil.test/a.js", "///a", "..", "../a", "a/../b", "a/..", "./a", "a/.", ".",
            "%2e%2e/a", "%2E%2E/a", ".%2e/a", "a/%2e/b", "a%2fb", "a%2Fb", "..%2f..%2fetc", "a%5cb", "a\\\\b",
            "\\\\evil.test",
            "..\\\\a", "https://evil.test/a.js", "https:a.js", "javascript:alert(1)", "data:,a", "a:b/c", "a?b", "?a",
            "a#b", "#",
            "a b", "a\\tb", "a\\nb", "a\\u0000b", "a%00b", "a%0ab", "a%7fb", "a%", "a%4", "a%zz", "%61.js", "a%2Djs",
            "a\u{E9}.js", "a\\u00e9.js", "a\\\"b", "a<b", "a>b", "a`b", "a{b", "a^b",
            String(repeating: "a", count: 2_049),
        ])
    func outside(_ path: String) {
        #expect(refusal(Self.text(Self.file(path))) == .pathOutsideBase)
        #expect(refusal(Self.text(Self.file("good.js"), Self.file(path))) == .pathOutsideBase)
    }

    @Test(
        "other paths are accepted, and lie below the base as RFC 3986 resolves them",
        arguments: [
            "", "a", "a/", "a.js", "assets/index-BX3kTQ9a.js", "_next/static/chunks/pages/%5Bid%5D-1a.js", "a/[id].js",
            "...", "a/...b",
            ".well-known/a", "a%20b", "%C3%A9.png", "%25", "a%252e", "a@2x.png", "b/c:d", "a!$&'()*+,;=", "~a", "..a/b",
            String(repeating: "a", count: 2_048),
        ])
    func inside(_ path: String) throws {
        let bytes = Array(Self.text(Self.file(path)).utf8)
        let list = try ReleaseList(accepting: bytes, named: .init(to: bytes), base: Self.base)
        let url = try #require(list.files.first).url(base: Self.base)
        #expect(TargetURI.resolve(path, against: Self.base) == url && url.hasPrefix(Self.base))
    }

    @Test("other bytes than the head names are refused before they are read: one bit, one octet more or less")
    func wrongBytes() throws {
        let bytes = Array(Self.text(Self.file("a.js")).utf8)
        let reference = Release.ListReference(to: bytes)
        func code(_ bytes: [UInt8]) -> ManifestRefusal.Code? {
            do throws(ManifestRefusal) {
                _ = try ReleaseList(accepting: bytes, named: reference, base: Self.base)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(bytes) == nil)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            #expect(code(changed) == .listHash)
            #expect(code(Array(bytes.prefix(index))) == .listSize)
        }
        #expect(code(bytes + [0x0A]) == .listSize)
        #expect(code(Array(repeating: 0x20, count: ReleaseList.sizeLimit + 1)) == .listSize)
    }

    @Test("a list is read as it was written")
    func roundTrip() throws {
        let list = ReleaseList(
            release: "11.4", ignoreQuery: ["dpl"],
            pages: [
                PageNeeds(match: "/item/*", needs: [.boot, .page("/item")]),
                PageNeeds(match: "/signout", needs: [], hasSideEffects: true),
            ],
            files: [
                ListedFile(
                    path: "a/app-3f9a.js", digest: Self.digest, size: ByteCount(183_220), use: .module,
                    mediaType: "text/javascript"),
                ListedFile(path: "b.css", digest: Self.digest, size: .zero, use: .style, group: .page("/item")),
            ])
        #expect(try ReleaseList(bytes: list.bytes, base: Self.base) == list)
        #expect(list.size == ByteCount(183_220))
    }

    @Test("an unknown `as` is fetched as a script would, an absent group is boot, unknown keys are passed over")
    func tolerant() throws {
        let text = Self.text(Self.file("a").replacing("\"script\"", with: "\"hologram\",\"colour\":[1.5]"))
        let file = try #require(try ReleaseList(bytes: Array(text.utf8), base: Self.base).files.first)
        #expect(file.use == .fetch && file.group == .boot && file.mediaType == nil)
    }
}
