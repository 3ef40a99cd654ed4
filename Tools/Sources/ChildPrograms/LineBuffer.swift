import Foundation

/// Cuts a stream of bytes into lines, in time that grows with the bytes alone.
package struct LineBuffer: Sendable {
    /// A line without its line feed.
    package struct Line: Hashable, Sendable {
        package var bytes: [UInt8]
        /// Bytes beyond the limit, which are not kept.
        package var omitted: Int

        package init(bytes: [UInt8], omitted: Int = 0) { (self.bytes, self.omitted) = (bytes, omitted) }
    }

    private var line: [UInt8] = []
    private let limit: Int

    /// Bytes of the unfinished line beyond the limit.
    package private(set) var omitted = 0

    /// - Parameter limit: Bytes of one line that are kept.
    package init(limit: Int) { self.limit = limit }

    /// The lines that `bytes` complete.
    package mutating func append(_ bytes: [UInt8]) -> [Line] {
        var lines: [Line] = []
        bytes.withUnsafeBytes { bytes in
            var start = 0
            // memchr(3): looking at each byte in Swift takes an unoptimised build many seconds for a long line.
            while let base = bytes.baseAddress, let end = memchr(base + start, 0x0A, bytes.count - start) {
                let place = UnsafeRawPointer(end) - base
                keep(UnsafeRawBufferPointer(rebasing: bytes[start..<place]))
                lines.append(Line(bytes: line, omitted: omitted))
                (line, omitted) = ([], 0)
                start = place + 1
            }
            keep(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
        return lines
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
        let kept = min(bytes.count, limit - line.count)
        line.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<kept]))
        omitted += bytes.count - kept
    }
}
