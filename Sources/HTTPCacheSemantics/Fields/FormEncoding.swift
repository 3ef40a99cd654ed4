/// `application/x-www-form-urlencoded`, URL Standard §5: names and values in a query.
enum FormEncoding {
    /// One name and its value, decoded, as UTF-8.
    struct Parameter: Hashable, Sendable {
        var name: QueryName
        var value: [UInt8]
    }

    /// The parser of §5.1: splits at `&`, skips empty items, splits each item at its first `=`.
    static func parameters(_ query: some Collection<UInt8>) -> [Parameter] {
        query.split(separator: 0x26).map { sequence in
            let end = sequence.firstIndex(of: 0x3D)
            let value = end.map { sequence[sequence.index(after: $0)...] }
            return Parameter(
                name: QueryName(octets: decoded(sequence[..<(end ?? sequence.endIndex)])),
                value: value.map { decoded($0) } ?? [])
        }
    }

    /// `+` is a space, `%` and two digits are an octet, and invalid UTF-8 becomes U+FFFD.
    static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
        var octets: [UInt8] = []
        var index = text.startIndex
        while index != text.endIndex {
            let byte = text[index]
            index = text.index(after: index)
            if byte == 0x25, let (octet, end) = percentEncoded(text, index) {
                octets.append(octet)
                index = end
            } else {
                octets.append(byte == 0x2B ? 0x20 : byte)
            }
        }
        guard octets.contains(where: { $0 >= 0x80 }) else { return octets }
        return Array(String(decoding: octets, as: UTF8.self).utf8)
    }

    /// The octet whose two digits start here, and the position after them.
    private static func percentEncoded<Text: Collection<UInt8>>(
        _ text: Text, _ start: Text.Index
    ) -> (UInt8, Text.Index)? {
        guard start != text.endIndex, let high = hexadecimal(text[start]) else { return nil }
        let second = text.index(after: start)
        guard second != text.endIndex, let low = hexadecimal(text[second]) else { return nil }
        return (high << 4 | low, text.index(after: second))
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }

    /// Printable ASCII that ``decoded(_:)`` turns back into these octets (§5.2).
    static func encoded(_ octets: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for octet in octets {
            switch octet {
            case 0x20: text.append(0x2B)
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F: text.append(octet)
            default: text += [0x25, digits[Int(octet >> 4)], digits[Int(octet & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
