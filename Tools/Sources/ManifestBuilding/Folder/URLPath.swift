import Foundation
import Manifests

/// The path of a file in a URL.
enum URLPath {
    /// Percent-encodes what RFC 3986 §3.3 does not allow in a path.
    static func encoded(_ path: String) -> String {
        var text = Array(spelled(path, literal: literal).utf8)
        // A ":" in the first segment would read as a scheme's.
        let first = text.prefix { $0 != 0x2F }
        if first.contains(0x3A) {
            text = first.flatMap { $0 == 0x3A ? Array("%3A".utf8) : [$0] } + text.dropFirst(first.count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Undoes percent-encoding.
    static func decoded(_ path: String) -> String { path.removingPercentEncoding ?? path }

    /// The other spellings of the path that pages use.
    ///
    /// A browser leaves what an author has written, but for what the URL Standard's path percent-encode set has; the
    /// rest is as `encodeURI`, `encodeURIComponent` and RFC 3986's unreserved characters alone have it.
    static func otherSpellings(_ path: String) -> [String] {
        let first = encoded(path)
        return [literal + "[]|", literal, "-._~/!'()*", "-._~/"].reduce(into: []) { spellings, literal in
            let spelling = spelled(path, literal: literal)
            if spelling != first, !spellings.contains(spelling) { spellings.append(spelling) }
        }
    }

    /// Why a file of this path can't be listed; `nil` if it can.
    static func reasonToSkip(_ path: String) -> String? {
        // The reading of names that are no UTF-8 leaves this mark.
        if path.unicodeScalars.contains("\u{FFFD}") { return "name that is no UTF-8" }
        return BaseURL.isPath("/" + encoded(path)) ? nil : "name that no URL can have"
    }

    private static let literal = "-._~/!$&'()*+,;=:@"

    private static func spelled(_ path: String, literal: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for octet in path.utf8 {
            if isAlphanumeric(octet) || literal.utf8.contains(octet) {
                text.append(octet)
            } else {
                text += [0x25, digits[Int(octet >> 4)], digits[Int(octet & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func isAlphanumeric(_ octet: UInt8) -> Bool {
        (0x30...0x39).contains(octet) || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet)
    }
}
