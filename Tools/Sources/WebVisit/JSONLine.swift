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

    /// The value of one line, with or without its line feed.
    ///
    /// - Throws: `DecodingError` if the line is not JSON of that type.
    package static func decode<Value: Decodable>(_ type: Value.Type, from line: some Sequence<UInt8>) throws -> Value {
        try JSONDecoder().decode(type, from: Data(line))
    }
}
