import Foundation

/// Reads files whole, and never waits for a pipe that nobody writes.
enum RegularFile {
    /// - Returns: `nil` if it is not there, or can't be read.
    /// - Throws: An error for a pipe, a device or a folder.
    static func bytes(_ path: String) throws(ManifestToolError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ManifestToolError("'\(path)' is a pipe, a device or a folder; name a file.")
        }
        guard let data = try? file.readToEnd() else { return [] }
        return Array(data)
    }
}
