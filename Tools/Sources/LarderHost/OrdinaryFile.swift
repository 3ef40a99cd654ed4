import Foundation

/// Opens files that somebody names, and never waits for a pipe that nobody writes.
enum OrdinaryFile {
    /// The reason why a file can't be read.
    struct Obstacle: Error {
        /// In words, for a parenthesis.
        var reason: String
    }

    /// - Returns: Its content up to a limit; more than that is not looked at.
    static func bytes(_ path: String, upTo limit: Int) throws(Obstacle) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Obstacle(reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            throw Obstacle(reason: String(cString: strerror(EISDIR)))
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Obstacle(reason: "a pipe or a device") }
        return try bytes(of: descriptor, upTo: limit)
    }

    static func bytes(of descriptor: Int32, upTo limit: Int) throws(Obstacle) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < limit {
            let count = read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw Obstacle(reason: String(cString: strerror(errno))) }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Checks a file that the caller opens by its path. A missing one is left to the caller.
    ///
    /// - Throws: ``HostError/Code/badUse`` for a pipe, a device or a folder.
    static func expect(_ path: String, option: String) throws(HostError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw HostError(
            code: .badUse, message: "\(option) '\(path)' is a pipe, a device or a folder; name a file.")
    }
}
