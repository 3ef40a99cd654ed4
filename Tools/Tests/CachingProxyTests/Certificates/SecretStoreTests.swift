import CacheTesting
import CachingProxy
import Foundation
import Locking
import Testing

@Suite("Where the key of an authority is kept")
struct SecretStoreTests {
    /// Secrets in memory, as a keychain has them.
    private final class Memory: SecretStore {
        let secrets = LockedBox<[String: String]>([:])
        let failure = LockedBox<SecretError?>(nil)

        private func checked<Result: Sendable>(_ work: (inout [String: String]) -> Result) throws -> Result {
            if let failure = failure.withLock({ $0 }) { throw failure }
            return secrets.withLock { work(&$0) }
        }

        func secret(named name: String) throws -> String? { try checked { $0[name] } }
        func keep(_ secret: String, named name: String) throws { try checked { $0[name] = secret } }
    }

    @Test("an authority with a store of secrets keeps its key there alone, and is the same at the next start")
    func elsewhere() throws {
        let directory = try TemporaryDirectory()
        let secrets = Memory()
        let first = try CertificateAuthority(directory: directory.path, secrets: secrets)
        #expect(secrets.secrets.withLock { $0.count } == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        #expect(names == ["ca.pem", "lock"])
        for name in names {
            #expect(try !String(contentsOfFile: directory.path + "/" + name, encoding: .utf8).contains("PRIVATE"))
        }
        let second = try CertificateAuthority(directory: directory.path, secrets: secrets)
        #expect(second.certificatePEM == first.certificatePEM)
        // The copy for clients is made again.
        try FileManager.default.removeItem(atPath: directory.path + "/ca.pem")
        _ = try CertificateAuthority(directory: directory.path, secrets: secrets)
        #expect(
            try String(contentsOfFile: directory.path + "/ca.pem", encoding: .utf8) == first.certificatePEM)
        // A secret that is gone is another authority.
        secrets.secrets.withLock { $0["ca-key.pem"] = nil }
        #expect(
            try CertificateAuthority(directory: directory.path, secrets: secrets).certificatePEM
                != first.certificatePEM)
    }

    @Test("a store of secrets that refuses is an error that says what it said")
    func refused() throws {
        let directory = try TemporaryDirectory()
        let secrets = Memory()
        secrets.failure.withLock { $0 = SecretError(code: .locked, message: "Unlock the device.") }
        let error = #expect(throws: ProxyError.self) {
            try CertificateAuthority(directory: directory.path, secrets: secrets)
        }
        #expect(error?.code == .authorityUnusable && error?.message.contains("Unlock the device.") == true)
        #expect((error?.cause as? SecretError)?.code == .locked)
    }

    @Test("secrets in files are readable by the user alone, replaced whole, and told from others")
    func files() throws {
        let directory = try TemporaryDirectory()
        let secrets = SecretFiles(directory: directory.path)
        #expect(try secrets.secret(named: "a") == nil)
        try secrets.keep("one", named: "a")
        try secrets.keep("two", named: "b")
        try secrets.keep("three", named: "a")
        #expect(try secrets.secret(named: "a") == "three" && secrets.secret(named: "b") == "two")
        let mode = try FileManager.default.attributesOfItem(atPath: directory.path + "/a")[.posixPermissions]
        #expect(mode as? Int == 0o600 && !secrets.isExposed("a"))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: directory.path + "/a")
        #expect(secrets.isExposed("a"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["a", "b"])
    }
}
