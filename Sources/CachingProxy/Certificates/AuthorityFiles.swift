#if Proxy
import Foundation

/// The two files of a certificate authority: key (mode 0600) and certificate.
struct AuthorityFiles {
    let directory: String

    var key: String { directory + "/ca-key.pem" }
    var certificate: String { directory + "/ca.pem" }

    /// - Returns: Key and certificate in PEM; `nil` when neither is there.
    func read() throws -> (key: String, certificate: String)? {
        let manager = FileManager.default
        guard manager.fileExists(atPath: key), manager.fileExists(atPath: certificate) else { return nil }
        return (
            try String(contentsOfFile: key, encoding: .utf8), try String(contentsOfFile: certificate, encoding: .utf8)
        )
    }

    /// Writes both; the key is never on the disk with wider rights, and appears whole.
    func write(key keyPEM: String, certificate certificatePEM: String) throws {
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for (path, text, mode) in [(key, keyPEM, 0o600), (certificate, certificatePEM, 0o644)] {
            let temporary = "\(path).\(ProcessInfo.processInfo.processIdentifier)"
            try? manager.removeItem(atPath: temporary)
            guard
                manager.createFile(
                    atPath: temporary, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
            else { throw CocoaError(.fileWriteUnknown) }
            try? manager.removeItem(atPath: path)
            try manager.moveItem(atPath: temporary, toPath: path)
        }
    }
}
#endif
