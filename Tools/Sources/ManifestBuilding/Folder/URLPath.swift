import Foundation

/// The path of a file in a URL.
enum URLPath {
    /// Percent-encodes what RFC 3986 §3.3 does not allow in a path.
    static func encoded(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for octet in path.utf8 {
            if isLiteral(octet) {
                text.append(octet)
            } else {
                text += [0x25, digits[Int(octet >> 4)], digits[Int(octet & 15)]]
            }
        }
        // A ":" in the first segment would read as a scheme's.
        let first = text.prefix { $0 != 0x2F }
        if first.contains(0x3A) {
            text = first.flatMap { $0 == 0x3A ? Array("%3A".utf8) : [$0] } + text.dropFirst(first.count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Undoes percent-encoding.
    static func decoded(_ path: String) -> String { path.removingPercentEncoding ?? path }

    private static func isLiteral(_ octet: UInt8) -> Bool {
        (0x30...0x39).contains(octet) || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet)
            || "-._~/!$&'()*+,;=:@".utf8.contains(octet)
    }
}
