import HTTPCacheSemantics

/// An open body file. Readers share the descriptor: every read names its offset.
public final class BodyFile: Sendable {
    /// Valid as long as this object lives; read-only by convention, at explicit offsets only.
    public let descriptor: Int32
    public let length: ByteCount

    init(descriptor: Int32, length: ByteCount) {
        self.descriptor = descriptor
        self.length = length
    }

    deinit {
        SystemCalls.close(descriptor)
    }

    /// Bytes from an offset; fewer than asked for only at the end of the file.
    ///
    /// - Throws: ``StoreError/Code/readFailed``.
    public func read(from offset: Int64, upTo count: Int) throws -> [UInt8] {
        try Self.read(descriptor, from: offset, upTo: min(count, Int(max(0, length.bytes - offset))))
    }

    static func read(_ descriptor: Int32, from offset: Int64, upTo count: Int) throws -> [UInt8] {
        guard count > 0 else { return [] }
        return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let part = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let got = SystemCalls.pread(descriptor, part, offset + Int64(filled))
                if got < 0, SystemCalls.errorNumber == SystemCalls.interrupted { continue }
                guard got >= 0 else {
                    throw StoreError(
                        code: .readFailed,
                        message: "A stored body could not be read (errno \(SystemCalls.errorNumber)).")
                }
                if got == 0 { break }
                filled += got
            }
        }
    }

    /// The size of a file; `nil` when it can't be opened.
    static func size(of path: String) -> Int64? {
        let descriptor = SystemCalls.open(path, SystemCalls.readOnly)
        guard descriptor >= 0 else { return nil }
        defer { SystemCalls.close(descriptor) }
        return SystemCalls.size(descriptor)
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int64) throws {
        try bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let part = UnsafeRawBufferPointer(rebasing: buffer[done...])
                let put = SystemCalls.pwrite(descriptor, part, offset + Int64(done))
                if put < 0, SystemCalls.errorNumber == SystemCalls.interrupted { continue }
                guard put > 0 else {
                    throw StoreError(
                        code: .writeFailed,
                        message: "A response could not be stored (errno \(SystemCalls.errorNumber)); "
                            + "free some space or choose another store directory.")
                }
                done += put
            }
        }
    }
}
