@testable import ResponseStore

/// A file system over the disk; a conforming type writes only the calls that it changes.
protocol ForwardingFileSystem: FileSystem {
    var disk: LocalFileSystem { get }
}

extension ForwardingFileSystem {
    func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FileSystemError) -> Int {
        try disk.read(descriptor, into: buffer, at: offset)
    }

    func open(_ path: String, _ access: FileAccess) throws(FileSystemError) -> Int32 { try disk.open(path, access) }

    func close(_ descriptor: Int32) { disk.close(descriptor) }

    func synchronize(_ descriptor: Int32) throws(FileSystemError) { try disk.synchronize(descriptor) }

    func size(_ descriptor: Int32) throws(FileSystemError) -> Int64 { try disk.size(descriptor) }

    func rename(_ old: String, to new: String) throws(FileSystemError) { try disk.rename(old, to: new) }

    func unlink(_ path: String) throws(FileSystemError) { try disk.unlink(path) }

    func makeDirectory(_ path: String) throws(FileSystemError) { try disk.makeDirectory(path) }

    func synchronizeDirectory(_ path: String) throws(FileSystemError) { try disk.synchronizeDirectory(path) }

    func names(in directory: String) -> [String] { disk.names(in: directory) }

    func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) throws(FileSystemError) {
        try disk.write(bytes, to: descriptor, at: offset)
    }
}
