/// The file name under which a download may be saved.
package enum DownloadName {
    /// The longest name in octets of UTF-8, so that a number can be added: file systems allow 255.
    static let greatestLength = 200

    /// A name that somebody else chose, without what may do harm; `nil` if nothing remains.
    ///
    /// RFC 6266 §4.3: nothing but the last component of a path counts. Control characters, `:`, bidirectional overrides
    /// (a name that reads backwards hides its ending) and dots and spaces at both ends are left out. A name that is
    /// longer than 200 octets loses its middle, and keeps its ending.
    package static func harmless(_ name: String) -> String? {
        let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
        var scalars = String.UnicodeScalarView()
        for scalar in last.unicodeScalars where !isHarmful(scalar) { scalars.append(scalar) }
        var text = Substring(String(scalars))
        while let first = text.first, first == "." || first == " " { text = text.dropFirst() }
        while let last = text.last, last == "." || last == " " { text = text.dropLast() }
        return text.isEmpty ? nil : shortened(String(text))
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x3A: true
        // Marks, embeddings, overrides and isolates of direction; separators of lines and paragraphs.
        case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > greatestLength else { return name }
        var ending = ""
        if let dot = name.lastIndex(of: "."), name[dot...].utf8.count <= 20 { ending = String(name[dot...]) }
        var start = ""
        for character in name {
            guard start.utf8.count + character.utf8.count + ending.utf8.count <= greatestLength else { break }
            start.append(character)
        }
        return start + ending
    }
}
