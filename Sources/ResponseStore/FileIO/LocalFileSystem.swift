/// The disk.
struct LocalFileSystem: FileSystem {
    /// Whether ``synchronize(_:)`` waits for the disk.
    var synchronizes = true

    func open(_ path: String, _ access: FileAccess) throws(FileSystemError) -> Int32 {
        let flags =
            switch access {
            case .reading: SystemCalls.readOnlyAtOnce
            case .writing: SystemCalls.readWrite
            case .creating: SystemCalls.createExclusively
            }
        let descriptor = try Self.checked("open") { SystemCalls.openFile(path, flags) }
        // A file of another user is none of ours: its owner can change it at any time. Nor is a pipe a file.
        guard SystemCalls.isRegular(descriptor), SystemCalls.owner(descriptor) == SystemCalls.user else {
            SystemCalls.closeFile(descriptor)
            throw FileSystemError(call: "open", number: SystemCalls.missing)
        }
        return descriptor
    }

    func close(_ descriptor: Int32) { SystemCalls.closeFile(descriptor) }

    func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(FileSystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let got = SystemCalls.read(descriptor, rest, offset + Int64(done))
            if got < 0, SystemCalls.errorNumber == SystemCalls.interrupted { continue }
            guard got >= 0 else { throw FileSystemError(call: "read", number: SystemCalls.errorNumber) }
            if got == 0 { break }
            done += got
        }
        return done
    }

    func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) throws(FileSystemError) {
        var done = 0
        while done < bytes.count {
            let part = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let put = SystemCalls.write(descriptor, part, offset + Int64(done))
            if put < 0, SystemCalls.errorNumber == SystemCalls.interrupted { continue }
            guard put > 0 else { throw FileSystemError(call: "write", number: SystemCalls.errorNumber) }
            done += put
        }
    }

    func synchronize(_ descriptor: Int32) throws(FileSystemError) {
        guard synchronizes else { return }
        _ = try Self.checked("sync") { SystemCalls.synchronize(descriptor) }
    }

    func size(_ descriptor: Int32) throws(FileSystemError) -> Int64 {
        guard let size = SystemCalls.size(descriptor) else {
            throw FileSystemError(call: "stat", number: SystemCalls.errorNumber)
        }
        return size
    }

    func rename(_ old: String, to new: String) throws(FileSystemError) {
        _ = try Self.checked("rename") { SystemCalls.move(old, new) }
    }

    func unlink(_ path: String) throws(FileSystemError) {
        _ = try Self.checked("unlink") { SystemCalls.remove(path) }
    }

    func makeDirectory(_ path: String) throws(FileSystemError) {
        do {
            _ = try Self.checked("mkdir") { SystemCalls.makeDirectory(path) }
        } catch {
            if !error.exists { throw error }
        }
    }

    func synchronizeDirectory(_ path: String) throws(FileSystemError) {
        guard synchronizes else { return }
        let descriptor = try Self.checked("open") { SystemCalls.openFile(path, SystemCalls.readOnlyAtOnce) }
        defer { close(descriptor) }
        try synchronize(descriptor)
    }

    func names(in directory: String) -> [String] { SystemCalls.names(in: directory) }

    private static func checked(
        _ call: String, _ work: () -> Int32
    ) throws(FileSystemError) -> Int32 {
        while true {
            let result = work()
            if result >= 0 { return result }
            if SystemCalls.errorNumber == SystemCalls.interrupted { continue }
            throw FileSystemError(call: call, number: SystemCalls.errorNumber)
        }
    }
}

extension FileSystem {
    /// The first bytes of a file.
    func contents(of path: String, limit: Int) throws(FileSystemError) -> [UInt8] {
        let descriptor = try open(path, .reading)
        defer { close(descriptor) }
        return try read(descriptor, at: 0, upTo: min(limit, Int(clamping: try size(descriptor))))
    }

    /// Bytes from an offset; fewer than requested only at the end of the file.
    func read(_ descriptor: Int32, at offset: Int64, upTo count: Int) throws(FileSystemError) -> [UInt8] {
        guard count > 0 else { return [] }
        var failure: FileSystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(FileSystemError) {
                filled = try read(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int64) throws(FileSystemError) {
        var failure: FileSystemError?
        bytes.withUnsafeBytes { buffer in
            do throws(FileSystemError) {
                try write(buffer, to: descriptor, at: offset)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
