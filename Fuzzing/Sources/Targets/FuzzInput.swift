import HTTPCacheSemantics
import HTTPTypes

/// The bytes of one run, and the interpretations of them that targets share.
///
/// All of them are text, so that people can read and write the files of a corpus.
struct FuzzInput {
    let bytes: [UInt8]

    /// Octets that are not UTF-8 become U+FFFD, as in a field value.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The text between line feeds; never empty. Beyond a limit the last lines are joined, because `HTTPFields` traps
    /// at 65,535 fields, and targets add some.
    var lines: [String] {
        bytes.split(separator: 0x0A, maxSplits: 16_384, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// A given number of messages, with an empty line between them; the last ones are empty if the text has fewer.
    func messages(_ count: Int) -> [Message] {
        let found = lines.split(separator: "", maxSplits: count, omittingEmptySubsequences: false).prefix(count)
        return found.map { Message($0) } + (found.count..<count).map { _ in Message([]) }
    }

    /// A start line, then fields.
    struct Message {
        /// The line before the fields: a method, a status or another text.
        var start: String
        var fields: HTTPFields

        init(_ lines: ArraySlice<String>) {
            start = lines.first ?? ""
            fields = HTTPFields()
            for line in lines.dropFirst() {
                let parts = line.utf8.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, let name = HTTPField.Name(String(Substring(parts[0]))) else { continue }
                fields.append(HTTPField(name: name, value: String(Substring(parts[1]))))
            }
        }

        /// The numbers of the start line; zero for missing ones.
        ///
        /// Moments and sizes stay within 64 bits of milliseconds.
        func number(_ index: Int) -> Int64 {
            let words = start.split(separator: " ", maxSplits: index + 1)
            return index < words.count ? (Int64(words[index]) ?? 0) % (Int64.max / 1_000) : 0
        }

        /// The method at the beginning of the start line; `GET` if that is not a token.
        var method: HTTPRequest.Method {
            HTTPRequest.Method(String(start.prefix { $0 != " " })) ?? .get
        }

        /// The status at the beginning of the start line, within three digits.
        var status: HTTPResponse.Status {
            .init(code: 100 + Int(abs(number(0)) % 900))
        }

        /// A stored response whose start line is `status requestTime responseTime`.
        var storedResponse: StoredResponse {
            StoredResponse(
                status: status, fields: StorableFields.select(from: fields),
                requestTime: WallInstant(unixSeconds: number(1)), responseTime: WallInstant(unixSeconds: number(2)))
        }
    }
}

extension HTTPFields {
    /// Compares names and octets of values in order; `==` of `HTTPFields` compares the order of equal names only.
    var octets: [[UInt8]] {
        map { field in Array(field.name.rawName.utf8) + [0x3A] + field.withUnsafeBytesOfValue { Array($0) } }
    }

    /// The fields with another one added.
    func adding(_ name: HTTPField.Name, _ value: String) -> HTTPFields {
        var fields = self
        fields.append(HTTPField(name: name, value: value))
        return fields
    }
}

extension String {
    /// Compares octet by octet; `==` also equates canonically equivalent texts.
    func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    var hasLostOctets: Bool { unicodeScalars.contains("\u{FFFD}") }

    /// The text as a `quoted-string`, RFC 9110 §5.6.4.
    var quoted: String {
        let escaped = utf8.flatMap { [0x22, 0x5C].contains($0) ? [0x5C, $0] : [$0] }
        return "\"" + String(decoding: escaped, as: UTF8.self) + "\""
    }
}
