/// Percent-encoding, RFC 3986 §2.1 and URL standard §1.3.
package enum PercentEncoding {
    /// - Parameter isPlain: Whether an octet stays as it is.
    package static func encoded(_ octets: some Sequence<UInt8>, where isPlain: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for octet in octets {
            if isPlain(octet) {
                text.append(octet)
            } else {
                text += [0x25, digits[Int(octet >> 4)], digits[Int(octet & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A `%` without two hexadecimal digits stays.
    package static func decoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        var (octets, rest) = ([UInt8](), Array(text)[...])
        while let octet = rest.popFirst() {
            if octet == 0x25, let high = rest.first.flatMap(digit), let low = rest.dropFirst().first.flatMap(digit) {
                octets.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                octets.append(octet)
            }
        }
        return octets
    }

    private static func digit(_ octet: UInt8) -> UInt8? {
        switch octet {
        case 0x30...0x39: octet - 0x30
        case 0x41...0x46: octet - 0x41 + 10
        case 0x61...0x66: octet - 0x61 + 10
        default: nil
        }
    }

    /// The octets as a text; `nil` where they are no UTF-8.
    package static func text(_ octets: [UInt8]) -> String? {
        let text = String(decoding: octets, as: UTF8.self)
        return text.utf8.elementsEqual(octets) ? text : nil
    }
}
