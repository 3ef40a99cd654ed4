import Fetching
import HTTPCacheSemantics
import HTTPTypes

/// `Link`, RFC 8288 §3: a URL and its attributes. What can't be read ends a line; what was read before it counts.
struct LinkField {
    /// With `href`; names in lower case, of two with one name the first.
    private(set) var attributes: [String: String]

    /// The attributes with that `rel` alone, if it is a preload; `nil` otherwise.
    var preload: [String: String]? {
        // A link about something else than this page is none of its links.
        guard attributes["anchor"] == nil else { return nil }
        let rels = (attributes["rel"] ?? "").lowercased().split { $0 == " " || $0 == "\t" }.map(String.init)
        guard let rel = rels.first(where: { $0 == "preload" || $0 == "modulepreload" }) else { return nil }
        return attributes.merging(["rel": rel]) { $1 }
    }

    static func links(_ fields: HTTPFields) -> [LinkField] {
        fields[values: FetchField.link].flatMap { line in
            var scanner = ByteScanner(line)
            var links: [LinkField] = []
            while let link = LinkField(&scanner) { links.append(link) }
            return links
        }
    }

    private init?(_ scanner: inout ByteScanner) {
        _ = scanner.text { $0 == 0x2C || Self.isSpace($0) }
        guard scanner.take("<") else { return nil }
        attributes = ["href": scanner.text { $0 != 0x3E }]
        guard scanner.take(">") else { return nil }
        while true {
            scanner.skipWhitespace()
            guard !scanner.isAtEnd, !scanner.take(",") else { break }
            guard scanner.take(";") else { return nil }
            scanner.skipWhitespace()
            let name = scanner.text { ![0x2C, 0x3B, 0x3D].contains($0) && !Self.isSpace($0) }.lowercased()
            scanner.skipWhitespace()
            var value = ""
            if scanner.take("=") {
                scanner.skipWhitespace()
                guard let read = Self.value(&scanner) else { return nil }
                value = read
            }
            if !name.isEmpty, name != "href", attributes[name] == nil { attributes[name] = value }
        }
    }

    /// A token, or a quoted string (RFC 9110 §5.6.4).
    private static func value(_ scanner: inout ByteScanner) -> String? {
        scanner.peek == 0x22
            ? scanner.quotedString() : scanner.text { $0 != 0x2C && $0 != 0x3B && !isSpace($0) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
