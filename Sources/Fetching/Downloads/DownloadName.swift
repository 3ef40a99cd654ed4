import HTTPCacheSemantics
import HTTPTypes

/// The file name under which a download is saved.
package enum DownloadName {
    /// The longest name in octets of UTF-8, so that a number can be put in front of it: file systems allow 255.
    static let greatestLength = 200

    /// A name without any folder: that of `Content-Disposition`, else the last part of the URL's path, else `download`.
    ///
    /// RFC 6266 §4.3: `filename*` goes before `filename`, and nothing but the last component of a path counts. Control
    /// characters, `:`, bidirectional overrides (a name that reads backwards hides its ending) and dots and spaces at
    /// both ends are left out. A name that is longer than 200 octets loses its middle, and keeps its ending.
    ///
    /// - Parameters:
    ///   - fields: The response's fields.
    ///   - url: The URL of the response, absolute.
    package static func suggested(by fields: HTTPFields, url: String) -> String {
        let given = fields[.contentDisposition].flatMap { named(in: $0) }
        return given.flatMap { harmless($0) } ?? lastComponent(of: url).flatMap { harmless($0) } ?? "download"
    }

    /// The name with a number before its ending, for a folder that has the name already: `report-2.pdf`.
    package static func numbered(_ name: String, _ number: Int) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(name)-\(number)" }
        return "\(name[..<dot])-\(number)\(name[dot...])"
    }

    // MARK: Content-Disposition

    private static func named(in value: String) -> String? {
        var plain: String?
        var extended: String?
        for (name, value) in FetchText.parameters(of: value) {
            switch name {
            case "filename*": extended = extended ?? decoded(extended: value)
            case "filename": plain = plain ?? value
            default: continue
            }
        }
        return extended ?? plain
    }

    /// `charset'language'value`, RFC 8187 §3.2. Of its two charsets, ISO-8859-1 is spelt out.
    private static func decoded(extended value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let octets = percentDecoded(parts[2]) else { return nil }
        switch FetchText.lowercased(parts[0]) {
        case "utf-8": return PercentEncoding.text(octets)
        case "iso-8859-1":
            return octets.reduce(into: "") { $0.unicodeScalars.append(Unicode.Scalar($1)) }
        default: return nil
        }
    }

    // MARK: URL

    private static func lastComponent(of url: String) -> String? {
        guard let target = WebURL(url) else { return nil }
        let path = target.path.prefix { $0 != "?" }
        return path.split(separator: "/").last.flatMap { percentDecoded($0) }.flatMap { PercentEncoding.text($0) }
    }

    /// `nil` where a `%` is not followed by two hexadecimal digits.
    private static func percentDecoded(_ text: Substring) -> [UInt8]? {
        let octets = PercentEncoding.decoded(text.utf8)
        return octets.count == text.utf8.count - 2 * text.utf8.count { $0 == 0x25 } ? octets : nil
    }

    // MARK: Safety

    /// A name that somebody else chose, without what ``suggested(by:url:)`` leaves out; `nil` if nothing remains.
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
