#if Proxy
import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Secrets as files of mode 0600 in a directory, which has to be there when one is kept. Each appears whole, by rename(2),
/// however a process ends.
package struct SecretFiles: SecretStore {
    let directory: String

    package init(directory: String) {
        self.directory = directory
    }

    /// - Throws: `POSIXError` when it can't be read.
    package func secret(named name: String) throws -> String? { try text(of: path(name))?.text }

    /// - Throws: `POSIXError`.
    package func keep(_ secret: String, named name: String) throws { try publish(secret, at: path(name), mode: 0o600) }

    /// - Throws: `POSIXError`.
    package func removeSecret(named name: String) throws {
        guard unlink(path(name)) == 0 || errno == ENOENT else { throw failure }
    }

    package func isExposed(_ name: String) -> Bool {
        (try? text(of: path(name))).flatMap { $0 }.map { $0.mode & 0o077 != 0 } ?? false
    }

    func path(_ name: String) -> String { directory + "/" + name }

    var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) throws -> Int32 {
        let descriptor = systemOpen(path, flags | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw failure }
        return descriptor
    }

    /// A file's text and mode; `nil` when it is not there.
    func text(of path: String) throws -> (text: String, mode: mode_t)? {
        let descriptor: Int32
        do {
            descriptor = try open(path, O_RDONLY)
        } catch let error as POSIXError where error.code == .ENOENT {
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure }
        // No authority is larger; whatever else was put there is not read.
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        while count < buffer.count {
            let more = buffer[count...].withUnsafeMutableBytes { systemRead(descriptor, $0) }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw failure }
            guard more > 0 else { break }
            count += more
        }
        return (String(decoding: buffer[..<count], as: UTF8.self), status.st_mode)
    }

    /// Puts a file in its place whole. From its first instant it has that mode, or a narrower one.
    func publish(_ text: String, at path: String, mode: mode_t) throws {
        let temporary = path + ".new"
        // What a process that was killed has left.
        unlink(temporary)
        let descriptor = try open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
        do {
            defer { close(descriptor) }
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw failure }
                rest = rest.dropFirst(count)
            }
            guard fsync(descriptor) == 0 else { throw failure }
        }
        guard rename(temporary, path) == 0 else { throw failure }
        let folder = try open(directory, O_RDONLY)
        fsync(folder)
        close(folder)
    }
}

// The system's calls, whose names are taken by methods above.

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
#endif
