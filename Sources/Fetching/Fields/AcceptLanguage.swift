/// The field that a web view leaves to its network (RFC 9110 §12.5.4).
package enum AcceptLanguage {
    /// The field for a user's languages, most wanted first, such as `de-CH,de;q=0.9,en;q=0.8`; `*` without any. What is
    /// no language tag is left out, and all but the first six.
    package static func field(_ languages: [String]) -> String {
        let tags = languages.filter { tag in
            !tag.isEmpty && tag.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) || isLetter($0) }
        }
        let listed = tags.prefix(6).enumerated().map { index, tag in
            index == 0 ? tag : "\(tag);q=0.\(10 - index)"
        }
        return listed.isEmpty ? "*" : listed.joined(separator: ",")
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
