extension CacheControl {
    /// Reads a line of directives that are a token, or two tokens with `=` between them, where it lies.
    ///
    /// - Returns: False, and nothing appended, for any other line: ``appendAny(_:to:)`` reads it.
    static func appendPlain(_ line: String, to directives: inout [Directive]) -> Bool {
        let before = directives.count
        let isPlain = line.utf8.withContiguousStorageIfAvailable { appendPlain($0, to: &directives) } ?? false
        if !isPlain { directives.removeSubrange(before...) }
        return isPlain
    }

    private static func appendPlain(_ bytes: UnsafeBufferPointer<UInt8>, to directives: inout [Directive]) -> Bool {
        // One allocation for all that is usual.
        if directives.isEmpty { directives.reserveCapacity(6) }
        var position = 0
        while true {
            position = bytes.endOfWhitespace(from: position)
            if position == bytes.count { return true }
            if bytes[position] != 0x2C {
                let name = position..<bytes.endOfToken(from: position)
                position = name.upperBound
                var argument: String?
                if position < bytes.count, bytes[position] == 0x3D {
                    let token = position + 1..<bytes.endOfToken(from: position + 1)
                    argument = bytes.text(token)
                    position = token.upperBound
                }
                position = bytes.endOfWhitespace(from: position)
                if name.isEmpty || (position < bytes.count && bytes[position] != 0x2C) { return false }
                directives.append(Directive(name: lowercasedName(name, in: bytes), argument: argument))
            }
            if position < bytes.count { position += 1 }
        }
    }

    /// The name in lower case. Strings of up to 15 octets need no allocation, nor do literals.
    private static func lowercasedName(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> String {
        if bytes.matches("stale-while-revalidate", in: range) { return "stale-while-revalidate" }
        if bytes.matches("proxy-revalidate", in: range) { return "proxy-revalidate" }
        let name = bytes.text(range)
        return range.contains { (0x41...0x5A).contains(bytes[$0]) } ? name.lowercased() : name
    }
}
