import Foundation
import Manifests

/// Keys as files: `NAME.key` is the secret, readable by its owner alone, and `NAME.pub` is to be pinned.
package enum KeyFiles {
    /// Makes a pair for each name, and replaces no file: if one of the files is there already, none is made.
    ///
    /// - Returns: The public keys, in the order of the names.
    package static func generate(_ names: [String], in folder: String) throws(ManifestToolError) -> [ManifestKey] {
        for name in names where name.isEmpty || name.contains("/") || name.hasPrefix(".") {
            throw ManifestToolError("'\(name)' is no name for a key; use letters and digits.")
        }
        let paths = names.map { URL(fileURLWithPath: folder).appendingPathComponent($0).path }
        for file in paths.flatMap({ [$0 + ".key", $0 + ".pub"] }) where FileManager.default.fileExists(atPath: file) {
            throw ManifestToolError("'\(file)' is there already; keep it, or choose another folder.")
        }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ManifestToolError("The folder '\(folder)' can't be made; choose another.")
        }
        var keys: [ManifestKey] = []
        for path in paths {
            let key = ManifestSigningKey()
            guard let publicKey = key.publicKey else {
                throw ManifestToolError("The new key is not usable; try again.")
            }
            try create(path + ".key", key.secretText + "\n", mode: 0o600)
            try create(path + ".pub", "\(publicKey)\n", mode: 0o644)
            keys.append(publicKey)
        }
        return keys
    }

    /// A secret, from its file.
    package static func secret(_ path: String) throws(ManifestToolError) -> ManifestSigningKey {
        guard let text = text(path) else {
            throw ManifestToolError("The key '\(path)' can't be read; 'larder manifest keygen' makes one.")
        }
        guard let key = ManifestSigningKey(text) else {
            throw ManifestToolError(
                ManifestKey(text) == nil
                    ? "'\(path)' is no key; name a file that 'larder manifest keygen' made, ending in .key."
                    : "'\(path)' is the public half; name the file that ends in .key.")
        }
        return key
    }

    /// A public key: its text, or the path of its file.
    package static func pinned(_ argument: String) throws(ManifestToolError) -> ManifestKey {
        if let key = ManifestKey(argument) { return key }
        guard let text = text(argument) else {
            throw ManifestToolError(
                "'\(argument)' is neither a public key (ed25519:…) nor a file with one, such as current.pub.")
        }
        if let key = ManifestKey(text) { return key }
        throw ManifestToolError(
            ManifestSigningKey(text) == nil
                ? "'\(argument)' holds no public key; name a file that ends in .pub."
                : "'\(argument)' is the secret half; name the file that ends in .pub.")
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).flatMap { String(data: $0, encoding: .utf8) }?
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// With its mode from the first instant.
    private static func create(_ path: String, _ text: String, mode: mode_t) throws(ManifestToolError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            throw ManifestToolError("'\(path)' can't be made; choose another folder.")
        }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
            unlink(path)
            throw ManifestToolError("'\(path)' can't be written; check the free space.")
        }
    }
}
