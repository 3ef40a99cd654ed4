import Foundation

/// One JSON text per line, as the tool and the web-view process exchange them.
package enum JSONLine {
    /// The JSON text of a value, ended by a line feed and holding no other.
    ///
    /// - Throws: `EncodingError` for a value that JSON cannot hold, such as an infinite number.
    package static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + Data([0x0A])
    }

    /// As ``encode(_:)``, for what a page has a say in: it makes URLs, titles and messages as long as it likes. In a
    /// line of more than ``roomy`` octets texts are cut to 64 KiB, and further until the line keeps the limit. What a
    /// script of ours returned stays whole.
    package static func encode(_ value: some Encodable, within limit: Int) throws -> Data {
        var (line, longest) = (try encode(value), 65_536)
        while line.count > (longest == 65_536 ? roomy : limit), longest >= 16 {
            let whole = try JSONSerialization.jsonObject(with: line)
            line =
                try JSONSerialization.data(
                    withJSONObject: cut(whole, to: longest), options: [.sortedKeys, .withoutEscapingSlashes]) + [0x0A]
            longest /= 16
        }
        return line
    }

    /// 1 MiB.
    static let roomy = 1 << 20

    private static func cut(_ value: Any, to longest: Int) -> Any {
        switch value {
        case let text as String where text.utf8.count > longest:
            String(decoding: text.utf8.prefix(longest), as: UTF8.self) + "… (\(text.utf8.count) octets)"
        case let list as [Any]: list.map { cut($0, to: longest) }
        case let object as [String: Any]:
            object.reduce(into: [String: Any]()) { cutObject, member in
                cutObject[member.key] = member.key == "scriptResult" ? member.value : cut(member.value, to: longest)
            }
        default: value
        }
    }

    /// The value of one line, with or without its line feed.
    ///
    /// - Throws: `DecodingError` if the line is not JSON of that type.
    package static func decode<Value: Decodable>(_ type: Value.Type, from line: some Sequence<UInt8>) throws -> Value {
        try JSONDecoder().decode(type, from: Data(line))
    }
}
