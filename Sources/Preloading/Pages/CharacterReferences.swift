/// Character references in the value of an attribute, HTML §13.2.5.72, as far as they need no table.
enum CharacterReferences {
    private static let named: [String: UInt8] = ["amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27]

    /// - Returns: `nil` where browsers might read another reference, and for what is not UTF-8.
    static func text(_ value: ArraySlice<UInt8>) -> String? {
        guard let first = value.firstIndex(of: 0x26) else { return checked(Array(value)) }
        var text = Array(value[..<first])
        var place = first
        while place < value.endIndex {
            guard value[place] == 0x26 else {
                text.append(value[place])
                place += 1
                continue
            }
            guard let (octets, end) = reference(value, place + 1) else { return nil }
            text += octets
            place = end
        }
        return checked(text)
    }

    /// Reads the reference behind an ampersand.
    private static func reference(_ value: ArraySlice<UInt8>, _ start: Int) -> (octets: [UInt8], end: Int)? {
        guard start < value.endIndex, value[start] != 0x23 else { return number(value, start + 1) }
        let end = value[start...].firstIndex { !isAlphanumeric($0) } ?? value.endIndex
        if end < value.endIndex, value[end] == 0x3B {
            if end == start { return ([0x26], start) }
            guard let octet = named[String(decoding: value[start..<end], as: UTF8.self)] else { return nil }
            return ([octet], end + 1)
        }
        // Historically, a name that is followed by "=" is none: it is a parameter of a query.
        let isPlain = end == start || end < value.endIndex && value[end] == 0x3D
        return isPlain ? ([0x26], start) : nil
    }

    private static func number(_ value: ArraySlice<UInt8>, _ start: Int) -> (octets: [UInt8], end: Int)? {
        guard start < value.endIndex else { return start > value.endIndex ? ([0x26], value.endIndex) : nil }
        let isHexadecimal = value[start] | 0x20 == 0x78
        let first = isHexadecimal ? start + 1 : start
        guard let end = value[first...].firstIndex(of: 0x3B), (1...7).contains(end - first),
            value[first..<end].allSatisfy(isAlphanumeric),
            let code = UInt32(
                Substring(String(decoding: value[first..<end], as: UTF8.self)), radix: isHexadecimal ? 16 : 10),
            // The standard has other characters in place of these.
            code >= 0x20, !(0x7F...0x9F).contains(code), let scalar = Unicode.Scalar(code)
        else { return nil }
        return (Array(String(Character(scalar)).utf8), end + 1)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    private static func checked(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) && !bytes.contains(0) ? text : nil
    }
}
