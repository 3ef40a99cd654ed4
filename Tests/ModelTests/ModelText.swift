/// Lexical rules of RFC 9110 §5.6, spelled out.
enum ModelText {
    /// The members between commas outside quotes, trimmed, without empty ones (§5.6.1.2).
    static func list(_ text: String) -> [String] {
        split(text, at: UInt8(ascii: ",")).filter { !$0.isEmpty }
    }

    /// The parts between separators outside quotes, trimmed.
    static func split(_ text: String, at separator: UInt8) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        var isQuoted = false
        var isEscaped = false
        for byte in text.utf8 {
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                parts.append(trimmed(part))
                part = []
                continue
            }
            part.append(byte)
        }
        return parts + [trimmed(part)]
    }

    static func trimmed(_ text: String) -> String { trimmed(Array(text.utf8)) }

    private static func trimmed(_ bytes: [UInt8]) -> String {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let start = bytes.firstIndex { !isSpace($0) } ?? bytes.endIndex
        let end = bytes.lastIndex { !isSpace($0) } ?? bytes.endIndex
        return start < bytes.endIndex ? String(decoding: bytes[start...end], as: UTF8.self) : ""
    }

    /// RFC 9111 §1.2.2: digits alone; too large a number counts as 2147483648.
    static func seconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return text.utf8.count > 15 ? 2_147_483_648 : Int64(text).map { min($0, 2_147_483_648) }
    }

    /// An entity tag is quoted, with `W/` before it when it is weak (RFC 9110 §8.8.3).
    static func isEntityTag(_ text: String) -> Bool {
        let opaque = text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
        return opaque.utf8.count >= 2 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
            && !opaque.dropFirst().dropLast().contains { $0 == "\"" || $0 == " " }
    }

    /// Weak comparison, RFC 9110 §8.8.3.2.
    static func weaklyMatch(_ one: String, _ other: String) -> Bool {
        func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
        return isEntityTag(one) && isEntityTag(other) && opaque(one) == opaque(other)
    }

    /// Strong comparison, RFC 9110 §8.8.3.2.
    static func stronglyMatch(_ one: String, _ other: String) -> Bool {
        isEntityTag(one) && one == other && !one.hasPrefix("W/")
    }
}

/// A verdict that the standard or our choices may leave open.
enum ModelVerdict: Hashable, Sendable {
    case yes, no, either

    init(_ isSo: Bool) { self = isSo ? .yes : .no }

    var canBe: Bool { self != .no }
    var mustBe: Bool { self == .yes }

    /// Both must hold.
    static func && (one: ModelVerdict, other: @autoclosure () -> ModelVerdict) -> ModelVerdict {
        guard one != .no else { return .no }
        let other = other()
        return other == .yes ? one : other
    }

    static func || (one: ModelVerdict, other: @autoclosure () -> ModelVerdict) -> ModelVerdict {
        guard one != .yes else { return .yes }
        let other = other()
        return other == .no ? one : other
    }
}
