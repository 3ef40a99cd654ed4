import Foundation
import ManifestBuilding
import Manifests
import Testing

@Suite("Keys as files")
struct KeyFilesTests {
    private let folder: SampleFolder

    init() throws { folder = try SampleFolder([:]) }

    @Test("a secret is readable by its owner alone, and both halves are read back")
    func pair() throws {
        let path = folder.path + "/keys"
        let keys = try KeyFiles.generate(["current", "next"], in: path)
        for (name, key) in zip(["current", "next"], keys) {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/\(name).key")
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            #expect(try KeyFiles.secret(path + "/\(name).key").publicKey == key)
            #expect(try KeyFiles.pinned(path + "/\(name).pub") == key)
            #expect(try KeyFiles.pinned("\(key)") == key)
        }
        #expect(Set(keys).count == 2)
    }

    @Test("no file is replaced, and none is made if one is in the way", arguments: ["next.key", "next.pub"])
    func inTheWay(_ name: String) throws {
        try folder.write(name, "mine")
        #expect(throws: ManifestToolError.self) { try KeyFiles.generate(["current", "next"], in: folder.path) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
        #expect(try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8) == "mine")
    }

    @Test("names can't lead elsewhere", arguments: ["", "../a", "a/b", ".hidden"])
    func names(_ name: String) {
        #expect(throws: ManifestToolError.self) { try KeyFiles.generate([name], in: folder.path) }
    }

    @Test("the wrong half is named as such")
    func halves() throws {
        _ = try KeyFiles.generate(["current"], in: folder.path)
        let asSecret = #expect(throws: ManifestToolError.self) { try KeyFiles.secret(folder.path + "/current.pub") }
        #expect(asSecret?.message.contains("public half") == true)
        let asPublic = #expect(throws: ManifestToolError.self) { try KeyFiles.pinned(folder.path + "/current.key") }
        #expect(asPublic?.message.contains("secret half") == true)
        #expect(asPublic?.message.contains("private:") == false, "the secret is not printed")
    }
}
