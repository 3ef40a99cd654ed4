#if Proxy
import Foundation
import ResponseStore
import SwiftASN1

/// A certificate authority's files.
///
/// The secret `ca-key.pem`, a file of mode 0600 unless another ``SecretStore`` is used, has the key and behind it the
/// certificate. A file appears whole, by rename(2), so the two can't become unequal, however a process ends. `ca.pem`,
/// mode 0644, is a copy of the certificate for clients that are to trust it; where it is missing or different, it is
/// written again. Only a process that holds a lock on `lock` writes; it lets go of it at once.
struct AuthorityFiles {
    struct Content {
        /// In PEM.
        var key: String
        /// In PEM, with a line feed at the end.
        var certificate: String
        /// Whether the files hold it as described; those of earlier versions have the key alone in its file.
        var isWhole = true
    }

    let directory: String
    private let files: SecretFiles
    private let secrets: any SecretStore

    /// - Parameter secrets: Where the key is; in the directory unless set.
    init(directory: String, secrets: (any SecretStore)? = nil) {
        self.directory = directory
        files = SecretFiles(directory: directory)
        self.secrets = secrets ?? files
    }

    private static let key = "ca-key.pem"
    private static let certificate = "ca.pem"
    private var certificate: String { files.path(Self.certificate) }
    private var lock: String { directory + "/lock" }

    /// - Returns: The stored authority; `nil` when the key or any certificate is missing.
    /// - Throws: The system's error when it can't be read; the reader's error when it is no PEM;
    ///   ``ProxyError`` for a folder or a key that is not this user's alone.
    func read() throws -> Content? {
        try expectOwn()
        guard let bundle = try secrets.secret(named: Self.key) else { return nil }
        let copy = try files.text(of: certificate)
        let parts = try PEMDocument.parseMultiple(pemString: bundle)
        guard let keyPart = parts.first(where: { $0.discriminator.hasSuffix("PRIVATE KEY") }) else {
            throw POSIXError(.EBADMSG)
        }
        let kept = parts.first { $0.discriminator == "CERTIFICATE" }.map { $0.pemString + "\n" }
        guard let certificate = kept ?? copy else { return nil }
        return Content(
            key: keyPart.pemString, certificate: certificate,
            isWhole: kept != nil && copy == certificate && !secrets.isExposed(Self.key))
    }

    /// Refuses what another user could have put there: whoever has the key speaks for every host.
    private func expectOwn() throws {
        for path in [directory, files.path(Self.key), certificate, lock] {
            guard let refusal = FolderOwnership.refusal(of: path) else { continue }
            throw ProxyError(
                code: .authorityUnusable, message: "The certificate authority's '\(path)' \(refusal.words).")
        }
    }

    /// Writes both. To be called with the lock.
    ///
    /// - Throws: `POSIXError`, or what the store of secrets says.
    func write(_ content: Content) throws {
        try secrets.keep(
            content.key.trimmingCharacters(in: .newlines) + "\n" + content.certificate, named: Self.key)
        try WholeFile.put(
            Array(content.certificate.utf8), as: Self.certificate, in: directory, by: Self.certificate + ".new",
            mode: 0o644)
    }

    /// Runs the closure while no other process, and no other thread of this one, does the same with this directory,
    /// which is made when it is not there.
    ///
    /// - Throws: `POSIXError`, and what the closure throws.
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try FileLock.holding(lock, body)
    }
}

/// Secrets as files of mode 0600 in a directory, which has to be there when one is kept. Each appears whole, by
/// rename(2), however a process ends.
package struct SecretFiles: SecretStore {
    let directory: String

    package init(directory: String) { self.directory = directory }

    /// - Throws: The system's error when it can't be read.
    package func secret(named name: String) throws -> String? { try text(of: path(name)) }

    package func keep(_ secret: String, named name: String) throws {
        try WholeFile.put(Array(secret.utf8), as: name, in: directory, by: name + ".new")
    }

    package func isExposed(_ name: String) -> Bool {
        var status = stat()
        return stat(path(name), &status) == 0 && status.st_mode & 0o077 != 0
    }

    func path(_ name: String) -> String { directory + "/" + name }

    /// A file's text; `nil` when it is not there.
    func text(of path: String) throws -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        // No authority is larger; whatever else was put there is not read.
        let content = try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).read(upToCount: 65_536)
        return String(decoding: content ?? Data(), as: UTF8.self)
    }
}
#endif
