/// Whether bytes are one JSON text, RFC 8259: a pushdown automaton, independent of the reader that it checks. It is
/// stricter than the grammar about strings: halves of surrogate pairs are not characters (§8.2).
struct JSONChecker {
    private enum Wanted {
        case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd, nothing
    }

    private let bytes: ArraySlice<UInt8>
    private var place: Int
    /// The brackets that are open.
    private var open: [UInt8] = []
    private var wanted = Wanted.value

    static func isText(_ bytes: [UInt8]) -> Bool {
        var checker = JSONChecker(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...])
        return checker.run()
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    private mutating func run() -> Bool {
        while place < bytes.endIndex {
            let byte = bytes[place]
            if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                place += 1
            } else if !take(byte) {
                return false
            }
        }
        return wanted == .nothing
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        switch (wanted, byte) {
        case (.value, 0x7B), (.valueOrEnd, 0x7B):
            open.append(byte)
            wanted = .keyOrEnd
        case (.value, 0x5B), (.valueOrEnd, 0x5B):
            open.append(byte)
            wanted = .valueOrEnd
        case (.valueOrEnd, 0x5D), (.keyOrEnd, 0x7D): return close()
        case (.commaOrEnd, 0x5D): return open.last == 0x5B && close()
        case (.commaOrEnd, 0x7D): return open.last == 0x7B && close()
        case (.commaOrEnd, 0x2C): wanted = open.last == 0x5B ? .value : .key
        case (.colon, 0x3A): wanted = .value
        case (.key, 0x22), (.keyOrEnd, 0x22):
            wanted = .colon
            return string()
        case (.value, _), (.valueOrEnd, _):
            wanted = open.isEmpty ? .nothing : .commaOrEnd
            return byte == 0x22 ? string() : word()
        default: return false
        }
        place += 1
        return true
    }

    private mutating func close() -> Bool {
        open.removeLast()
        wanted = open.isEmpty ? .nothing : .commaOrEnd
        place += 1
        return true
    }

    /// A number or one of three names: everything up to what can follow one.
    private mutating func word() -> Bool {
        let word = bytes[place...].prefix { ![0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x5D, 0x7D].contains($0) }
        place = word.endIndex
        return ["true", "false", "null"].contains { $0.utf8.elementsEqual(word) } || Self.isNumber(word)
    }

    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        func areDigits(_ digits: ArraySlice<UInt8>) -> Bool {
            !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
        }
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == 0x65 }
        if parts.count == 2 {
            let exponent = parts[1]
            guard areDigits([0x2B, 0x2D].contains(exponent.first) ? exponent.dropFirst() : exponent) else {
                return false
            }
        }
        let mantissa = parts[0].first == 0x2D ? parts[0].dropFirst() : parts[0]
        let sides = mantissa.split(separator: 0x2E, maxSplits: 1, omittingEmptySubsequences: false)
        return sides.allSatisfy(areDigits) && (sides[0].count == 1 || sides[0].first != 0x30)
    }

    /// From quote to quote.
    private mutating func string() -> Bool {
        place += 1
        var isHalf = false
        while place < bytes.endIndex {
            let byte = bytes[place]
            if byte == 0x5C {
                guard let unit = escape() else { return false }
                let isTrailing = (0xDC00...0xDFFF).contains(unit)
                if isHalf != isTrailing { return false }
                isHalf = (0xD800...0xDBFF).contains(unit)
                continue
            }
            if isHalf || byte < 0x20 { return false }
            place += 1
            if byte == 0x22 { return true }
        }
        return false
    }

    /// The code unit of an escape.
    private mutating func escape() -> UInt16? {
        let rest = bytes[place...].dropFirst()
        guard let letter = rest.first else { return nil }
        place += 2
        guard letter == 0x75 else { return "\"\\/bfnrt".utf8.contains(letter) ? 0 : nil }
        let digits = rest.dropFirst().prefix(4)
        place += 4
        let text = String(decoding: digits, as: UTF8.self)
        return digits.count == 4 && !text.hasPrefix("+") && !text.hasPrefix("-") ? UInt16(text, radix: 16) : nil
    }
}
