#if Proxy
import NIOCore
import ResponseStore

/// A part of a stored body, on its way to a client: as a copy, or as a ``BodyRegion``.
struct StoredPart: Sendable {
    let file: BodyFile
    let range: Range<Int64>

    init(_ file: BodyFile, _ range: Range<Int64>) {
        (self.file, self.range) = (file, range)
    }

    /// Adds the part to a buffer, read at once. What was not compared yet is not compared here.
    ///
    /// - Returns: Whether all of it could be read; otherwise the buffer is as it was.
    func copy(into buffer: inout ByteBuffer) -> Bool {
        let (start, count) = (buffer.writerIndex, range.count)
        let read = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            let space = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
            return (try? file.read(into: space, from: range.lowerBound)) ?? 0
        }
        if read == count { return true }
        buffer.moveWriterIndex(to: start)
        return false
    }
}
#endif
