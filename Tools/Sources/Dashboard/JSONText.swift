import Foundation

/// JSON as the tool prints it, in which texts of others can neither steer a terminal nor hide.
package enum JSONText {
    /// The JSON text of a value, with its keys sorted.
    ///
    /// Controls (C0, DEL, C1), format characters (bidirectional marks and tags among them), and the separators of lines
    /// and paragraphs stand as `\u` escapes (RFC 8259 §7): a reader gets them back, and whoever looks at the text sees
    /// them.
    ///
    /// - Parameter isPretty: Whether on several lines; else on one.
    /// - Throws: `EncodingError` for a value that JSON cannot hold, such as an infinite number.
    package static func encode(_ value: some Encodable, isPretty: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// The encoder escapes what is below U+0020 inside strings; outside of them it puts line feeds.
    private static func escaped(_ json: String) -> String {
        guard json.utf8.contains(where: { $0 >= 0x7F }) else { return json }
        var text = String.UnicodeScalarView()
        for scalar in json.unicodeScalars {
            if scalar.value >= 0x7F, isUnseen(scalar) {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text.append(contentsOf: "\\u".unicodeScalars)
                    text.append(contentsOf: (String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
                }
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }

    /// Unicode §4.5: general categories Cc, Cf, Zl and Zp, and code points that are no characters.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        case .unassigned: scalar.properties.isNoncharacterCodePoint || (0xE0000...0xE0FFF).contains(scalar.value)
        default: false
        }
    }
}
