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
    package mutating func append(_ bytes: some Collection<UInt8>) -> [Line] {
        var lines: [Line] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            keep(rest[..<end])
            lines.append(Line(bytes: line, omitted: omitted))
            (line, omitted) = ([], 0)
            rest = rest[rest.index(after: end)...]
        }
        keep(rest)
        return lines
    }

    private mutating func keep(_ bytes: some Collection<UInt8>) {
        let kept = min(bytes.count, limit - line.count)
        line += bytes.prefix(kept)
        omitted += bytes.count - kept
    }
}
