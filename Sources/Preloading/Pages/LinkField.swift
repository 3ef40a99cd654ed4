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
        guard let name = HTTPField.Name("Link") else { return [] }
        return fields[values: name].flatMap { line in
            var reader = Reader(bytes: Array(line.utf8))
            var links: [LinkField] = []
            while let link = reader.next() { links.append(link) }
            return links
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var place = 0

        mutating func next() -> LinkField? {
            skip { $0 == 0x2C || Self.isSpace($0) }
            guard take(0x3C), let end = bytes[place...].firstIndex(of: 0x3E) else { return nil }
            var attributes = ["href": text(place..<end)]
            place = end + 1
            while true {
                skip(Self.isSpace)
                guard place < bytes.count, !take(0x2C) else { break }
                guard take(0x3B) else { return nil }
                skip(Self.isSpace)
                let start = place
                skip { ![0x2C, 0x3B, 0x3D].contains($0) && !Self.isSpace($0) }
                let name = text(start..<place).lowercased()
                skip(Self.isSpace)
                var value = ""
                if take(0x3D) {
                    skip(Self.isSpace)
                    guard let read = self.value() else { return nil }
                    value = read
                }
                if !name.isEmpty, name != "href", attributes[name] == nil { attributes[name] = value }
            }
            return LinkField(attributes: attributes)
        }

        /// A token, or a quoted string (RFC 9110 §5.6.4).
        private mutating func value() -> String? {
            guard take(0x22) else {
                let start = place
                skip { $0 != 0x2C && $0 != 0x3B && !Self.isSpace($0) }
                return text(start..<place)
            }
            var text: [UInt8] = []
            while place < bytes.count {
                if take(0x22) { return String(decoding: text, as: UTF8.self) }
                _ = take(0x5C)
                guard place < bytes.count else { return nil }
                text.append(bytes[place])
                place += 1
            }
            return nil
        }

        private mutating func take(_ byte: UInt8) -> Bool {
            guard place < bytes.count, bytes[place] == byte else { return false }
            place += 1
            return true
        }

        private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
            while place < bytes.count, isSkipped(bytes[place]) { place += 1 }
        }

        private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

        private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    }
}
