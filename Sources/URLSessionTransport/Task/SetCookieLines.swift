/// The lines of `Set-Cookie` that a session has joined into one value.
///
/// RFC 9110 §5.3 forbids to join them, because a date in `Expires` has a comma of its own; sessions do it all the same.
enum SetCookieLines {
    /// Splits at the commas after which a new cookie begins: a name, which is a token, and "=" (RFC 6265 §4.1.1). What
    /// follows the comma of a date is a number and a space. A cookie's value may not contain a comma by the grammar; one
    /// that does, followed by what looks like a cookie, is split wrongly.
    static func split(_ joined: String) -> [String] {
        let bytes = Array(joined.utf8)
        var lines: [String] = []
        var start = 0
        for (place, byte) in bytes.enumerated() where byte == 0x2C && beginsCookie(bytes, place + 1) {
            lines.append(line(bytes[start..<place]))
            start = place + 1
        }
        lines.append(line(bytes[start...]))
        return lines.filter { !$0.isEmpty }
    }

    private static func beginsCookie(_ bytes: [UInt8], _ start: Int) -> Bool {
        var place = start
        while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
        let name = place
        while place < bytes.count, isToken(bytes[place]) { place += 1 }
        return place > name && place < bytes.count && bytes[place] == 0x3D
    }

    /// RFC 9110 §5.6.2.
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> String {
        var rest = bytes
        while rest.first == 0x20 || rest.first == 0x09 { rest.removeFirst() }
        while rest.last == 0x20 || rest.last == 0x09 { rest.removeLast() }
        return String(decoding: rest, as: UTF8.self)
    }
}
