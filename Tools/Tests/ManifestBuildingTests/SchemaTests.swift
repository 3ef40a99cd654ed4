import Foundation
import ManifestBuilding
import Manifests
import Testing

@Suite("The published schemas describe what the tool writes, and what the reader refuses")
struct SchemaTests {
    private static func schema(_ name: String) throws -> SchemaChecker {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../docs/manifest/\(name).schema.json").standardized
        let root = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        return SchemaChecker(root: try #require(root as? [String: Any]))
    }

    private static func problems(_ schema: SchemaChecker, _ bytes: [UInt8]) throws -> [String] {
        schema.problems(try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed))
    }

    @Test("heads and lists of the tool")
    func written() throws {
        let site = try SampleFolder(["a.js": "1", "b/c d.css": "2", "index.html": "3", "é.png": "4"])
        var builder = try site.builder()
        (builder.listsDocuments, builder.ignoreQuery) = (true, ["v"])
        var list = try builder.list(release: nil)
        list.pages = [
            PageNeeds(match: "/item/*", needs: [.boot]), PageNeeds(match: "/out", needs: [], hasSideEffects: true),
        ]
        builder.listsDocuments = false
        _ = try site.publication().publish(
            builder.list(release: nil), base: "http://localhost:8000/", id: "shop", minimumApp: AppVersion("5.2"),
            permyriad: 500)
        let head = try site.publication().change([.revoke([try #require(ManifestSigningKey().publicKey?.id)])])
        #expect(try Self.problems(Self.schema("head"), head.payload) == [])
        #expect(try Self.problems(Self.schema("list"), list.bytes) == [])
    }

    @Test(
        "what the schema of the head refuses the reader refuses",
        arguments: [
            ("\"larder\":1", "\"larder\":2"), ("\"serial\":1,", ""), ("\"serial\":1", "\"serial\":0"),
            ("\"serial\":1", "\"serial\":\"1\""), ("\"active\"", "\"on\""), ("\"id\":\"shop\"", "\"id\":\"a b\""),
            ("T08:00:00Z", "T08:00Z"), ("/shop/", "/shop"), ("\"revokes\":[]", "\"revokes\":[\"a\"]"),
            ("\"name\":\"r1\"", "\"name\":\"\""), ("\"name\":\"r1\"", "\"name\":\"r1\",\"minApp\":\"5.2b\""),
            ("\"sha256\":\"", "\"sha256\":\"00"), ("\"id\":\"shop\"", "\"id\":\"shop\",\"must-x\":1"),
        ])
    func refused(_ old: String, _ new: String) throws {
        let site = try SampleFolder(["a.js": "1"])
        let head = try site.publication().publish(
            site.builder().list(release: "r1"), base: SampleFolder.base, id: "shop"
        ).head
        let text = String(decoding: head.payload, as: UTF8.self)
        try #require(text.contains(old))
        let changed = Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
        #expect(try Self.problems(Self.schema("head"), changed).count == 1)
        #expect(throws: ManifestRefusal.self) { try ManifestHead(payload: changed) }
    }

    @Test(
        "what the schema of the list refuses the reader refuses",
        arguments: [
            ("\"larderList\":1", "\"larderList\":2"), ("\"release\":\"r1\",", ""),
            ("\"path\":\"a.js\"", "\"path\":\"/a.js\""),
            ("\"path\":\"a.js\"", "\"path\":\"a\\\\b\""), ("\"path\":\"a.js\"", "\"path\":\"a?b\""),
            ("\"size\":1", "\"size\":-1"), ("\"size\":1", "\"size\":1.5"), ("\"sha256\"", "\"sha1\""),
            ("\"group\":\"boot\"", "\"group\":7"), ("\"larderList\":1", "\"larderList\":1,\"must-x\":1"),
        ])
    func refusedList(_ old: String, _ new: String) throws {
        let site = try SampleFolder(["a.js": "1"])
        let text = String(decoding: try site.builder().list(release: "r1").bytes, as: UTF8.self)
        try #require(text.contains(old))
        let changed = Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
        #expect(try Self.problems(Self.schema("list"), changed).count == 1)
        #expect(throws: ManifestRefusal.self) { try ReleaseList(bytes: changed, base: SampleFolder.base) }
    }

    @Test("the schema's uses are the reader's")
    func uses() throws {
        let file = try #require((try Self.schema("list").root["$defs"] as? [String: Any])?["file"] as? [String: Any])
        let use = try #require((file["properties"] as? [String: Any])?["as"] as? [String: Any])
        #expect(use["examples"] as? [String] == ListedFile.Use.allCases.map(\.rawValue))
    }
}
